// push-simulation/push-defects.ts: planted defects in jobs that report by themselves, which the simulation must
// notice. Each changes a part of the service from outside.
import type { TestServiceOptions } from '../engine/test-service.ts'
import { replace } from '../simulation/defects/defect.ts'

type Process = Parameters<NonNullable<TestServiceOptions['look']>>[0]

export interface PushDefect {
  readonly summary: string
  plant(process: Process): void
}

export const pushDefects: Readonly<Record<string, PushDefect>> = {
  'run-closed-by-another': {
    summary: 'An end closes the run without an id, whatever its own is.',
    plant: ({ pushes }) =>
      replace(
        pushes,
        'take',
        (take) => (turn, owner, signal) =>
          take(turn, owner, signal.kind === 'start' ? signal : { ...signal, rid: '' }),
      ),
  },
  'silence-unnoticed': {
    summary: 'A deadline that passes means nothing.',
    plant: ({ pushes }) => replace(pushes, 'passed', () => () => {}),
  },
  'deadline-survives-restart': {
    summary: 'After a restart, a deadline of the previous process still holds.',
    plant: ({ pushes }) =>
      replace(pushes, 'watch', (watch) => (row, because) => {
        watch(row, because)
        if (because !== 'added') return
        // What was to be judged as a restart is judged as another disabled monitor would be.
        pushes.unwatch(row)
        watch(row, 'again')
      }),
  },
  'down-counts-as-silence': {
    summary: 'What was not reported while the service was down counts as a failure.',
    plant: ({ pushes }) =>
      replace(pushes, 'tell', (tell) => (facts, recovered) => {
        const retention = { seenAt: Number.MAX_SAFE_INTEGER, keepsUntil: null }
        tell(facts, recovered === null ? null : { ...recovered, retention })
      }),
  },
  'fail-counted-twice': {
    summary: 'A reported failure is two failures.',
    plant: ({ pushes }) =>
      replace(pushes, 'take', (take) => (turn, owner, signal) => {
        if (signal.kind === 'fail') take(turn, owner, signal)
        return take(turn, owner, signal)
      }),
  },
  'start-moves-due': {
    summary: 'A start satisfies the window.',
    plant: ({ pushes }) =>
      replace(pushes, 'take', (take) => (turn, owner, signal) => {
        if (signal.kind === 'start') take(turn, owner, { ...signal, kind: 'success', rid: 'nobody' })
        return take(turn, owner, signal)
      }),
  },
  'acknowledged-too-early': {
    summary: 'A signal is acknowledged before it is stored.',
    plant: ({ desk }) =>
      replace(desk, 'take', (take) => async (owner, signal) => {
        void take(owner, signal)
        return 'taken'
      }),
  },
  'clock-not-heeded': {
    summary: 'A clock that is set moves nothing.',
    plant: ({ pushes }) => replace(pushes, 'clockMoved', () => () => {}),
  },
  'stall-not-heeded': {
    summary: 'What could not be reported because nothing could be stored counts as silence.',
    plant: ({ pushes }) => replace(pushes, 'unreachable', () => () => {}),
  },
  'enabled-with-old-due': {
    summary: 'A monitor that is enabled again is late at once.',
    plant: ({ pushes }) =>
      replace(pushes, 'watch', (watch) => (row, because) => {
        if (because === 'again') pushes.passed(row)
        else watch(row, because)
      }),
  },
  'log-counts-as-success': {
    summary: 'What a job logs counts as its report.',
    plant: ({ pushes }) =>
      replace(
        pushes,
        'take',
        (take) => (turn, owner, signal) =>
          take(turn, owner, signal.kind === 'log' ? { ...signal, kind: 'success' } : signal),
      ),
  },
  'signal-not-stored': {
    summary: 'What is known of a job is not stored.',
    plant: ({ parts: { journal } }) =>
      replace(journal, 'keep', (keep) => (type, record) => {
        if (type !== 'pushes') keep(type, record)
      }),
  },
}
