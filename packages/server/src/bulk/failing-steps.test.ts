// An error in any step of an operation: one that passes costs nothing, and one that stays ends the operation with a reason.
// Either way nothing stays locked, and the next operation on the same resources is applied.
import { describe, expect, it } from 'vitest'
import { OperationsUnderTest } from './operations.fixture.ts'
import type { BulkOperationsOptions } from './operations.ts'

type Method = (...given: never[]) => unknown
type Is = (...given: never[]) => boolean

/** A method that answers later fails before it does anything, or when it is done. */
function failing<Part extends object>(part: Part, name: keyof Part, is: Is, { isDone = false } = {}): void {
  const method = (part[name] as Method).bind(part)
  const changed = async (...given: never[]) => {
    const isFailing = is(...given)
    const result = isFailing && !isDone ? null : await method(...given)
    if (isFailing) throw new Error(`${String(name)} fails`)
    return result
  }
  part[name] = changed as never
}

/** A method that answers at once throws when it is done. */
function throwing<Part extends object>(part: Part, name: keyof Part, is: Is): void {
  const method = (part[name] as Method).bind(part)
  const changed = (...given: never[]) => {
    const result = method(...given)
    if (is(...given)) throw new Error(`${String(name)} fails`)
    return result
  }
  part[name] = changed as never
}

type Step = (options: BulkOperationsOptions, is: () => boolean) => void

const stepsOfCollections: Readonly<Record<string, Step>> = {
  'validating it': ({ work }, is) => failing(work, 'validate', is),
  'reading what is staged': ({ work }, is) => failing(work, 'prepare', is),
  'packing a chunk that is locked': ({ work }, is) => failing(work, 'prepare', is, { isDone: true }),
  'opening staged values': ({ side }, is) => throwing(side, 'openOne', is),
  // What is staged is sealed for an operation, and not for a change.
  'sealing a value': ({ vault }, is) =>
    throwing(vault, 'seal', (_id: string, version: string) => /^[0-9]+$/.test(version) && is()),
  'the middle of a turn': ({ registry }, is) => throwing(registry, 'put', is),
  'bringing it into the fleet': ({ path }, is) => failing(path, 'write', is, { isDone: true }),
  'giving back what was staged': ({ work }, is) => failing(work, 'drop', is),
  'reading earlier outcomes': ({ work, store }, is) => {
    failing(store, 'readOutcomes', is)
    let calls = 0
    // They are read by the attempt behind the first chunk that was applied.
    failing(work, 'prepare', () => ++calls === 2)
  },
  'naming what was not attempted': ({ work }, is) => {
    failing(work, 'itemIds', is)
    failing(work, 'prepare', is)
  },
}

/** Whatever the error was, nothing of it is in the way of what comes next. */
async function expectWorking(tested: OperationsUnderTest): Promise<void> {
  expect(await tested.apply('next')).toBe('completed')
  const { under } = tested
  const { desk } = under
  const before = await desk.find('Monitor', 'c')
  const spec = { ...(before?.spec as object), tags: ['single'] }
  const sent = { metadata: { id: 'c' }, spec }
  const written = await desk.replace('Monitor', sent, before?.change ?? 0, under.by())
  expect(written.outcome).toBe('updated')
  expect((await desk.find('Monitor', 'c'))?.spec).toMatchObject({ tags: ['single'] })
}

describe.each(Object.entries(stepsOfCollections))('an error in %s', (_, step) => {
  it('that passes is tried again, and the operation is applied whole', async () => {
    await using tested = await OperationsUnderTest.start()
    let failures = 0
    step(tested.options, () => failures++ < 2)
    expect(await tested.apply('first')).toBe('completed')
    expect(failures).toBeGreaterThan(0)
    await expectWorking(tested)
  })

  it('that stays ends the operation, and the next one is applied', async () => {
    await using tested = await OperationsUnderTest.start()
    let isFailing = true
    step(tested.options, () => isFailing)
    expect(['completed', 'partial', 'failed']).toContain(await tested.apply('first'))
    isFailing = false
    await expectWorking(tested)
  })
})

const stepsOfControls: Readonly<Record<string, Step>> = {
  'reading what is frozen': ({ work }, is) => failing(work, 'frozen', is),
  'beginning the turn': ({ engine }, is) =>
    failing(engine, 'request', (unstored: string) => unstored === 'awaited' && is()),
  'carrying out an item': ({ engine }, is) => throwing(engine, 'applyControl', is),
}

describe.each(Object.entries(stepsOfControls))('an error of a control of many in %s', (_, step) => {
  it('ends the operation when it stays, and the next one is carried out', async () => {
    await using tested = await OperationsUnderTest.start()
    await tested.apply('first')
    let isFailing = true
    step(tested.options, () => isFailing)
    expect(await tested.snooze()).toBe('failed')
    isFailing = false
    expect(await tested.snooze()).toBe('completed')
    await expectWorking(tested)
  })
})

it('says that an error of the service ended it, and names what was not attempted', async () => {
  await using tested = await OperationsUnderTest.start()
  let calls = 0
  failing(tested.options.work, 'prepare', () => ++calls > 1)
  expect(await tested.apply('first')).toBe('partial')
  const { operation } = await tested.operations.read(tested.last)
  expect(operation.reason).toBe(
    'An error inside the service stopped it; the log has the details. 3 items were not attempted.',
  )
  const { outcomes } = await tested.under.store.readOutcomes(tested.last, 0, 10)
  expect(outcomes.map(({ outcome }) => outcome)).toEqual([
    'created',
    'created',
    'notAttempted',
    'notAttempted',
    'notAttempted',
  ])
})
