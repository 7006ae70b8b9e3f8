// Entry point for tests that run the `pulseward` command as a separate process, or its service in their own process.
export { createToken } from './create-token.ts'
export { hasTerminal, onTerminal } from './on-terminal.ts'
export { requestPatience } from './request-patience.ts'
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
