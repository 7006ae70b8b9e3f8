// The door for tests that run the `pulseward` command as a process of its own, or its service in theirs.
export {
  type CommandEnd,
  type CommandOptions,
  commandStart,
  RunningCommand,
  type RunningService,
  runCommand,
} from './running-command.ts'
export { type ServiceInProcess, serveInProcess } from './service-in-process.ts'
export { ServiceOnFiles, serveWords } from './service-on-files.ts'
export { onReadOnlyDisk, onSmallDisk, SmallDisk, whyNoSmallDisk } from './small-disk.ts'
