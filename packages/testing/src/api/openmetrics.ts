// api/openmetrics.ts: a strict parser of both text formats of metrics. It rejects what a lenient parser would
// accept: families in pieces, samples without a type, buckets that do not add up, unknown escapes.

export interface ReadSample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface ReadFamily {
  readonly name: string
  readonly type: string
  readonly help: string
  readonly samples: readonly ReadSample[]
}

type Format = 'prometheus' | 'openmetrics'
type OpenFamily = { name: string; type: string; help: string; samples: ReadSample[] }

const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const types = ['gauge', 'counter', 'histogram']

export function readMetrics(text: string, format: Format): Map<string, ReadFamily> {
  const lines = linesOf(text, format)
  const families = new Map<string, OpenFamily>()
  let family: OpenFamily | null = null
  for (const line of lines) {
    if (line.startsWith('# HELP ')) {
      const [, name = '', help = ''] = /^# HELP (\S+) (.+)$/.exec(line) ?? []
      require(metricName.test(name) && !families.has(name), `a family stands once, with help: ${line}`)
      family = { name, type: '', help, samples: [] }
      families.set(name, family)
    } else if (line.startsWith('# TYPE ')) {
      const [, name, type = ''] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? []
      require(family?.name === name &&
        family?.type === '' &&
        types.includes(type), `a type follows its help: ${line}`)
      family!.type = type
    } else {
      require(family !== null && family.type !== '', `a sample follows its type: ${line}`)
      family!.samples.push(readSample(line))
    }
  }
  for (const one of families.values()) judgeFamily(one, format)
  return families
}

function linesOf(text: string, format: Format): string[] {
  require(text.endsWith('\n'), 'the last line ends')
  const lines = text.slice(0, -1).split('\n')
  if (format === 'openmetrics') require(lines.pop() === '# EOF', 'OpenMetrics ends with # EOF')
  require(!lines.includes('') && !lines.includes('# EOF'), 'no line is empty, and nothing follows the end')
  return lines
}

function readSample(line: string): ReadSample {
  const [, name = '', , labels = '', value = ''] = /^([^\s{]+)(\{(.*)\})? (\S+)$/.exec(line) ?? []
  require(metricName.test(name), `a sample has a name and a value: ${line}`)
  require(/^([+-]?(\d+(\.\d+)?(e[+-]?\d+)?)|\+Inf|-Inf|NaN)$/.test(value), `a value is a number: ${line}`)
  return { name, labels: readLabels(labels, line), value: Number(value.replace('Inf', 'Infinity')) }
}

function readLabels(text: string, line: string): Record<string, string> {
  const labels: Record<string, string> = {}
  let rest = text
  while (rest !== '') {
    const match = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\n"])*)"(,(?=[a-zA-Z_])|$)/.exec(rest)
    const [whole = '', name = '', value = ''] = match ?? []
    require(match !== null && !Object.hasOwn(labels, name), `labels are well written: ${line}`)
    labels[name] = value.replace(/\\(.)/g, (_, letter) => (letter === 'n' ? '\n' : letter))
    rest = rest.slice(whole.length)
  }
  return labels
}

function judgeFamily({ name, type, samples }: OpenFamily, format: Format): void {
  require(samples.length > 0, `${name} has samples: an absent metric is left out`)
  const keys = samples.map((sample) => JSON.stringify([sample.name, sample.labels]))
  require(new Set(keys).size === keys.length, `${name} has each series once`)
  if (type === 'histogram') judgeHistogram(name, samples, format)
  else {
    const suffix = type === 'counter' && format === 'openmetrics' ? '_total' : ''
    const isNamed = samples.every((sample) => sample.name === `${name}${suffix}`)
    require(isNamed &&
      (type !== 'counter' || `${name}${suffix}`.endsWith('_total')), `${name} is named by its type`)
    require(type !== 'counter' || samples.every(({ value }) => value >= 0), `${name} counts up from 0`)
  }
}

function judgeHistogram(name: string, samples: readonly ReadSample[], format: Format): void {
  const groups = Map.groupBy(samples, ({ labels: { le: _, ...others } }) => JSON.stringify(others))
  for (const group of groups.values()) {
    const buckets = group.filter((sample) => sample.name === `${name}_bucket`)
    const of = (suffix: string) => group.filter((sample) => sample.name === `${name}_${suffix}`)
    require(of('sum').length === 1 && of('count').length === 1, `${name} has a sum and a count`)
    require(group.length === buckets.length + 2, `${name} has nothing but buckets, sum and count`)
    const bounds = buckets.map(({ labels }) => labels['le'] ?? '')
    const isCanonical = bounds.every((bound) => format === 'prometheus' || /\.|Inf/.test(bound))
    require(isCanonical && bounds.at(-1) === '+Inf', `${name} has bounds as they are written, up to +Inf`)
    for (const [index, { value }] of buckets.entries()) {
      const before = buckets[index - 1]
      const grows =
        before === undefined || (before.value <= value && Number(bounds[index - 1]) < boundOf(bounds[index]!))
      require(grows, `${name} has buckets that grow`)
    }
    require(buckets.at(-1)!.value === of('count')[0]!.value, `${name} counts all in +Inf`)
  }
}

function boundOf(text: string): number {
  return text === '+Inf' ? Number.POSITIVE_INFINITY : Number(text)
}

function require(condition: boolean, rule: string): void {
  if (!condition) throw new Error(`metrics break a rule: ${rule}`)
}
