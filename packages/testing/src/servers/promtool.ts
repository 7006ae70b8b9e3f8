import { findProgram, type ServerKind } from './server-process.ts'

/** Prometheus' own checker of metrics; not a server, but installed in the same way. */
export const promtool: ServerKind = {
  name: 'promtool',
  debianPackages: ['prometheus'],
  find: () => findProgram('promtool'),
}
