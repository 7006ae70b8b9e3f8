// process/create-token.ts: a token made by the command, wherever the service has its principals: `token create` knows both
// the file of a data directory and a store that several machines share.
import { testStoreSetting } from '../store/test-database.ts'
import { runCommand } from './running-command.ts'

export interface WantedToken {
  readonly name: string
  readonly role: string
  readonly jobTypes?: readonly string[]
}

/** `environment`: names the store of the service; by default the one that the suite keeps the state of this folder in. */
export async function createToken(
  data: string,
  { name, role, jobTypes = [] }: WantedToken,
  environment: NodeJS.ProcessEnv = testStoreSetting(data),
): Promise<string> {
  const mayRun = jobTypes.flatMap((id) => ['--job-type', id])
  const words = ['token', 'create', name, '--role', role, ...mayRun, '--data', data]
  const { code, stdout, stderr } = await runCommand(words, { environment })
  if (code !== 0) throw new Error(`no token was made: ${stderr}`)
  return stdout.split('\n', 1)[0]!
}
