// The door of the testing package.
export {
  type FleetFileOptions,
  loadFleetFiles,
  type MonitorAsLoaded,
  mistakesIn,
  monitorsOf,
} from './fleet-files.ts'
export {
  type CommandEnd,
  type CommandOptions,
  RunningCommand,
  type RunningService,
  runCommand,
} from './running-command.ts'
export { type FileContents, type TemporaryFolder, temporaryFolder } from './temporary-folder.ts'
