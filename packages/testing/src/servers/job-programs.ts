// servers/job-programs.ts: the programs with which jobs report to a service: not servers, but installed in the same way.
// cron runs in a mount namespace with a crontab of its own, so it neither reads nor writes the system's.
import { spawnSync } from 'node:child_process'
import { temporaryFolder } from '../files/temporary-folder.ts'
import { findProgram, type ServerKind, ServerProcess } from './server-process.ts'

export const curl: ServerKind = {
  name: 'curl',
  debianPackages: ['curl'],
  find: () => findProgram('curl'),
}

export const wget: ServerKind = {
  name: 'wget',
  debianPackages: ['wget'],
  find: () => findProgram('wget'),
}

/** Its path is that of a Python that has it. */
export const pythonRequests: ServerKind = {
  name: 'requests of Python',
  debianPackages: ['python3-requests'],
  find() {
    // Another Python may come first on the path, without the packages of the system.
    const pythons = [findProgram('/usr/bin/python3'), findProgram('python3')]
    const hasIt = (python: string): boolean => spawnSync(python, ['-c', 'import requests']).status === 0
    return pythons.find((python) => python !== null && hasIt(python)) ?? null
  },
}

/** Judges units; systemd itself runs only where it was started first. */
export const systemdAnalyze: ServerKind = {
  name: 'systemd-analyze',
  debianPackages: ['systemd'],
  find: () => findProgram('systemd-analyze'),
}

export const cron: ServerKind = {
  name: 'cron',
  debianPackages: ['cron'],
  find: () => findProgram('/usr/sbin/cron'),
}

/** Null if cron can run here: it needs to be root, and a mount namespace. */
export function whyNoCron(): string | null {
  return spawnSync('unshare', ['-m', 'true']).status === 0 ? null : 'a mount namespace needs root'
}

const START = `set -e
mount --make-rprivate /
mount -t tmpfs none /run
mount -t tmpfs none /etc/cron.d
mount -t tmpfs none /var/spool/cron
mkdir /var/spool/cron/crontabs
mount --bind "$1" /etc/crontab
exec "$2" -f
`

/** Runs cron with this crontab, in the form of /etc/crontab; its lines at `@reboot` run at once. */
export function startCron(program: string, crontab: string): Promise<ServerProcess> {
  const folder = temporaryFolder({ 'start.sh': START, crontab })
  const words = [
    '-m',
    '--fork',
    '--kill-child',
    'sh',
    folder.path('start.sh'),
    folder.path('crontab'),
    program,
  ]
  return ServerProcess.start({ program: 'unshare', words, folder, isReady: () => true })
}
