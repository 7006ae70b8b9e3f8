// scripts/clean-root/root-command.ts: a command in a CleanRoot: as which user it runs, and with which environment.
export interface RootCommand {
  readonly words: readonly string[]
  /** Nothing else is in the environment but a PATH. */
  readonly environment?: Readonly<Record<string, string>>
  /** Of the user and of its group, without capabilities; unless given, it is root. */
  readonly uid?: number
  readonly cwd?: string
}

export interface CommandEnd {
  readonly status: number | null
  readonly output: string
}

export const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** Ends what would never end; a test cannot be ended while it waits for a command. */
export const longestMs = 90_000

/** A command as the user that it is to run as; also for one that joins a process that runs. */
export function asUser({ words, environment = {}, uid, cwd = '/' }: RootCommand): readonly string[] {
  const user =
    uid === undefined
      ? []
      : [
          'setpriv',
          `--reuid=${uid}`,
          `--regid=${uid}`,
          '--clear-groups',
          '--no-new-privs',
          '--inh-caps=-all',
          '--bounding-set=-all',
        ]
  const variables = Object.entries({ PATH: path, ...environment }).map(([name, value]) => `${name}=${value}`)
  return ['env', `--chdir=${cwd}`, '-i', ...variables, ...user, ...words]
}
