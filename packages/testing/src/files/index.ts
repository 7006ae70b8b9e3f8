// Entry point for scripts and tests that need real files. It does not load the test runner.
export { isExecutable } from './executable.ts'
export { type FileContents, type TemporaryFolder, temporaryFolder } from './temporary-folder.ts'
