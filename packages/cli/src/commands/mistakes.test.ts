// What is said to people who make mistakes, in files, through v2, on the command line and in forms: a transcript that is
// read as a whole (golden/mistakes.md). `npx vitest run -u` on this file writes it anew; read every sentence aloud then.
import { readFileSync } from 'node:fs'
import { type Client, createClient, PulsewardError, type v2 } from '@pulseward/client'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runInProcess, type TestedEnd } from '../client/command.fixture.ts'
import { ServedNext, samples } from '../client/served.fixture.ts'
import { inCommands, inFleetFiles, inForms, inResources, type MistakeInFile } from './mistakes.fixture.ts'

let served: ServedNext
let folder: TemporaryFolder
let client: Client
beforeAll(async () => {
  served = await ServedNext.start()
  folder = temporaryFolder({})
  const token = readFileSync(served.folder.path('data/operator.token'), 'utf8').trim()
  client = createClient({ baseUrl: served.url, token, allowInsecureHttp: true })
  await served.apply(samples.monitor('edge'), endpoint('ops'))
})
afterAll(async () => {
  await served[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const endpoint = (id: string) => ({
  apiVersion: 'pulseward/v2',
  kind: 'NotificationEndpoint',
  metadata: { id },
  spec: { type: 'log', config: {} },
})

/** The same at every run. */
function said({ code, stdout, stderr }: TestedEnd): string {
  const text = `${stdout}${stderr}`
    .replaceAll(served.url, 'http://127.0.0.1:8060')
    .replaceAll(/\(request [^)]*\)/g, '(request …)')
    .trimEnd()
  return `${fenced('text', text)}\n\nExit ${code}.\n`
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``
}

async function ofFile({ title, file, text }: MistakeInFile, words: readonly string[]): Promise<string> {
  folder.write(file, text)
  const run = words[0] === 'apply' ? served.run.bind(served) : runInProcess
  const end = await run([...words, file], { cwd: folder.root })
  return `### ${title}\n\n${fenced('yaml', text)}\n\n${said(end)}`
}

async function ofCommand(words: readonly string[]): Promise<string> {
  const isLocal = words[0] === 'explain' || words[0] === 'drivers'
  const end = await (isLocal ? runInProcess : served.run.bind(served))(words, { cwd: folder.root })
  const line = words.map((word) => (/[ "{]/.test(word) ? `'${word}'` : word)).join(' ')
  return `### \`pulseward ${line}\`\n\n${said(end)}`
}

async function ofForm([title, spec]: (typeof inForms)[number]): Promise<string> {
  const body = samples.monitor('shop', spec) as v2.Monitor
  const error: unknown = await client
    .createMonitor({ body, ifNoneMatch: '*' })
    .catch((refusal: unknown) => refusal)
  if (!(error instanceof PulsewardError)) throw new Error('the service accepted a mistake')
  const lines = error.problem?.errors?.map(({ field, message }) => `${field}: ${message}`) ?? []
  return `### ${title}\n\n${fenced('text', lines.join('\n'))}\n`
}

it('is said in sentences that name the mistake and what to do', async () => {
  const parts = ['# What is said to mistakes\n']
  parts.push('## In fleet files: `pulseward validate fleet.yaml`\n')
  for (const mistake of inFleetFiles) parts.push(await ofFile(mistake, ['validate']))
  parts.push('## In resources: `pulseward apply -f shop.yaml`\n')
  for (const mistake of inResources) parts.push(await ofFile(mistake, ['apply', '-f']))
  parts.push('## On the command line\n')
  for (const words of inCommands) parts.push(await ofCommand(words))
  parts.push('## In what a form sends\n')
  for (const mistake of inForms) parts.push(await ofForm(mistake))
  await expect(parts.join('\n')).toMatchFileSnapshot('golden/mistakes.md')
})
