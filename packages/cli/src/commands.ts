// commands.ts: every command of `pulseward`, in groups by what people want to do and in the order that help shows
// them. Each is loaded when it is called: none needs the whole program, and the service should not hold what only
// other commands need.
import type { Command } from './command.ts'

type Load = () => Promise<Command>

const commandGroups: Readonly<Record<string, Readonly<Record<string, Load>>>> = {
  'Run the service': {
    serve: async () => (await import('./commands/serve.ts')).serve,
    probe: async () => (await import('./commands/probe.ts')).probe,
    demo: async () => (await import('./commands/demo.ts')).demo,
    'sign-in': async () => (await import('./commands/sign-in.ts')).signIn,
    token: async () => (await import('./commands/token.ts')).token,
    credentials: async () => (await import('./commands/credentials.ts')).credentials,
    backup: async () => (await import('./commands/backup.ts')).backup,
    store: async () => (await import('./commands/store.ts')).store,
    verify: async () => (await import('./commands/verify.ts')).verify,
    restore: async () => (await import('./commands/restore.ts')).restore,
  },
  'Report what runs elsewhere': {
    run: async () => (await import('./commands/run.ts')).run,
    'push-key': async () => (await import('./commands/push-key.ts')).pushKey,
  },
  'Write and try fleet files': {
    validate: async () => (await import('./commands/validate.ts')).validate,
    check: async () => (await import('./commands/check.ts')).check,
    oncall: async () => (await import('./commands/oncall.ts')).oncall,
    policy: async () => (await import('./commands/policy.ts')).policy,
    'test-notification': async () => (await import('./commands/test-notification.ts')).testNotification,
    import: async () => (await import('./commands/import.ts')).importFleet,
    'badge-key': async () => (await import('./commands/badge-key.ts')).badgeKey,
    drivers: async () => (await import('./commands/drivers.ts')).drivers,
    settings: async () => (await import('./commands/settings.ts')).settings,
  },
  'See how things are': {
    get: async () => (await import('./commands/get.ts')).get,
    describe: async () => (await import('./commands/describe.ts')).describe,
    wait: async () => (await import('./commands/wait.ts')).wait,
    health: async () => (await import('./commands/health.ts')).health,
    ready: async () => (await import('./commands/health.ts')).ready,
    status: async () => (await import('./commands/status.ts')).status,
    metrics: async () => (await import('./commands/metrics.ts')).metrics,
  },
  'Act when something is wrong (edition next)': {
    ack: async () => (await import('./commands/controls.ts')).ack,
    dismiss: async () => (await import('./commands/controls.ts')).dismiss,
    reopen: async () => (await import('./commands/controls.ts')).reopen,
    note: async () => (await import('./commands/note.ts')).note,
    snooze: async () => (await import('./commands/controls.ts')).snooze,
    unsnooze: async () => (await import('./commands/controls.ts')).unsnooze,
    recover: async () => (await import('./commands/controls.ts')).recover,
    review: async () => (await import('./commands/controls.ts')).review,
    enable: async () => (await import('./commands/enable.ts')).enable,
    disable: async () => (await import('./commands/enable.ts')).disable,
  },
  'Change what is watched (edition next)': {
    apply: async () => (await import('./commands/apply.ts')).apply,
    diff: async () => (await import('./commands/diff.ts')).diff,
    patch: async () => (await import('./commands/patch.ts')).patch,
    delete: async () => (await import('./commands/delete.ts')).remove,
    export: async () => (await import('./commands/export.ts')).exportFleet,
    calendar: async () => (await import('./commands/calendar.ts')).calendar,
    explain: async () => (await import('./commands/explain.ts')).explain,
    'api-resources': async () => (await import('./commands/api-resources.ts')).apiResources,
    worker: async () => (await import('./commands/worker.ts')).worker,
  },
  'Set up this command': {
    config: async () => (await import('./commands/config.ts')).config,
    completion: async () => (await import('./commands/completion.ts')).completionCommand(loadCommands),
  },
}

const loaders: Readonly<Record<string, Load>> = Object.assign({}, ...Object.values(commandGroups))

export const commandNames: readonly string[] = Object.keys(loaders)

/** Undefined if there is no such command. */
export async function loadCommand(name: string): Promise<Command | undefined> {
  return Object.hasOwn(loaders, name) ? loaders[name]?.() : undefined
}

export async function loadCommands(): Promise<Readonly<Record<string, Command>>> {
  return loadEach(loaders)
}

/** By the title of their group. */
export async function loadGroups(): Promise<Readonly<Record<string, Readonly<Record<string, Command>>>>> {
  const loaded = Object.entries(commandGroups).map(
    async ([title, group]) => [title, await loadEach(group)] as const,
  )
  return Object.fromEntries(await Promise.all(loaded))
}

async function loadEach(group: Readonly<Record<string, Load>>): Promise<Readonly<Record<string, Command>>> {
  const loaded = Object.entries(group).map(async ([name, load]) => [name, await load()] as const)
  return Object.fromEntries(await Promise.all(loaded))
}
