// The door for scripts and tests that need real files. Loads nothing of the test runner.
export { isExecutable } from './executable.ts'
export { type FileContents, type TemporaryFolder, temporaryFolder } from './temporary-folder.ts'
