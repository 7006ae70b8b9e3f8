import { readMetrics } from '@pulseward/testing/api'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exposition, type Family } from './exposition.ts'
import { Histogram } from './histogram.ts'

const formats = ['prometheus', 'openmetrics'] as const

function times(...ms: number[]): Family {
  const histogram = new Histogram([5, 1_000])
  for (const one of ms) histogram.note(one)
  return { name: 'a_seconds', help: 'Times.', type: 'histogram', samples: [{ value: histogram.read() }] }
}

describe('metrics as text', () => {
  it('name counters with their suffix, and the family as each form wants it', () => {
    const jobs: Family = { name: 'jobs', help: 'Jobs.', type: 'counter', samples: [{ value: 3 }] }
    expect(exposition([jobs], 'prometheus')).toBe(
      '# HELP jobs_total Jobs.\n# TYPE jobs_total counter\njobs_total 3\n',
    )
    expect(exposition([jobs], 'openmetrics')).toBe(
      '# HELP jobs Jobs.\n# TYPE jobs counter\njobs_total 3\n# EOF\n',
    )
  })

  it.each(formats)('leave out what is not known, and families of nothing else (%s)', (format) => {
    const families: Family[] = [
      { name: 'none', help: 'None.', type: 'gauge', samples: [] },
      { name: 'unknown', help: 'Unknown.', type: 'gauge', samples: [{ value: null }] },
      {
        name: 'half',
        help: 'Half.',
        type: 'gauge',
        samples: [
          { labels: { a: '1' }, value: null },
          { labels: { a: '2' }, value: 0 },
        ],
      },
    ]
    const read = readMetrics(exposition(families, format), format)
    expect([...read.keys()]).toEqual(['half'])
    expect(read.get('half')!.samples).toEqual([{ name: 'half', labels: { a: '2' }, value: 0 }])
  })

  it.each(formats)('count times into buckets that hold all smaller ones too (%s)', (format) => {
    const { samples } = readMetrics(exposition([times(1, 5, 6, 5_000)], format), format).get('a_seconds')!
    const buckets = samples.filter(({ name }) => name === 'a_seconds_bucket').map(({ value }) => value)
    expect(buckets).toEqual([2, 3, 4])
    expect(samples.at(-2)).toMatchObject({ name: 'a_seconds_sum', value: 5.012 })
  })

  it.each(formats)('carry any label value unharmed (%s)', (format) => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ unit: fc.constantFrom(...'\\"\n{},= aé\u{1F600}#') }), { minLength: 1 }),
        (values) => {
          const samples = values.map((label) => ({ labels: { label, other: 'x' }, value: 1 }))
          const text = exposition([{ name: 'a', help: 'A \\ and\nB.', type: 'gauge', samples }], format)
          const read = readMetrics(text, format)
            .get('a')!
            .samples.map(({ labels }) => labels['label'])
          expect(read).toEqual(values)
        },
      ),
    )
  })
})

describe('the reader that holds metrics to the form', () => {
  it.each([
    'a 1\n',
    '# HELP a A.\n# TYPE a gauge\na{b="c"d="e"} 1\n',
    '# HELP a A.\n# TYPE a gauge\na{b="\\x"} 1\n',
    '# HELP a A.\n# TYPE a gauge\na 1\na 2\n',
    '# HELP a A.\n# TYPE a gauge\nb 1\n',
    '# HELP a A.\n# TYPE a counter\na 1\n',
    '# HELP a A.\n# TYPE a gauge\na one\n',
    '# HELP a A.\n# TYPE a gauge\n\na 1\n',
    '# HELP a A.\n# TYPE a gauge\na 1',
    '# HELP a A.\n# TYPE a gauge\na 1\n# HELP a A.\n# TYPE a gauge\na{b="c"} 1\n',
    '# HELP a A.\n# TYPE a histogram\na_bucket{le="1"} 2\na_bucket{le="+Inf"} 1\na_sum 1\na_count 1\n',
    '# HELP a A.\n# TYPE a histogram\na_bucket{le="1"} 1\na_sum 1\na_count 1\n',
  ])('refuses %j', (text) => expect(() => readMetrics(text, 'prometheus')).toThrow('metrics break a rule'))
})
