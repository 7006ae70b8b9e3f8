// commands/patch.ts: changes parts of one resource by a JSON merge patch (RFC 7396): null removes a field, a list
// replaces the whole list.
import { readFileSync } from 'node:fs'
import type { v2 } from '@pulseward/contract'
import { nearestName, UsageError } from '@pulseward/server'
import { lastValue, type ParsedArguments } from '../arguments.ts'
import { clientCommand } from '../client/client-command.ts'
import { parseValue } from '../client/files/parse-value.ts'
import { standardInput } from '../client/files/source-files.ts'
import { oneOfWords } from '../client/flag-values.ts'
import { kinds, operationsNamed, referenceFrom, shown, shownFirst } from '../client/kinds.ts'
import { formatFlag, formatFrom, formatted } from '../client/output.ts'
import { orNoRevision, revisionFlag, revisionFrom } from '../client/revision.ts'
import { secretsIn } from '../client/secrets-in.ts'
import type { Session } from '../client/session.ts'
import { note } from '../client/table/block.ts'

const patchable = kinds.filter(({ patch }) => patch !== undefined)
const members = ['metadata', 'spec']
const types = ['merge'] as const
const mostBytes = 1024 * 1024

export const patch = clientCommand({
  summary: 'change parts of one resource',
  usage: `KIND ID -p JSON | --patch-file FILE|-\n\nKinds: ${patchable.map(({ names }) => names[0]).join(', ')}`,
  firstWords: patchable.map(({ names }) => names[0]),
  flags: {
    patch: { kind: 'value', short: 'p', valueName: 'JSON', summary: 'The merge patch, as JSON or YAML.' },
    'patch-file': {
      kind: 'value',
      valueName: 'FILE',
      summary: 'A file with it, or - for stdin; better for secrets.',
    },
    type: { kind: 'value', values: types, summary: 'The type of the patch. There is no other.' },
    revision: revisionFlag,
    output: formatFlag,
  },
  operations: [...operationsNamed('Patch')],
  examples: [
    `pulseward patch monitor checkout-api -p '{"spec": {"check": {"interval": "1m"}}}'`,
    'pulseward patch credential ops-hook --patch-file new-hook.yaml',
  ],
  lookAgain: ({ operands }) => `pulseward describe ${operands.join(' ')}`,
  async run(parsed, session) {
    const format = formatFrom(parsed)
    const reference = referenceFrom(parsed.operands, 'patch KIND ID --patch JSON')
    const { kind } = reference
    if (kind.patch === undefined) throw new UsageError(`Kind ${kind.names[0]} cannot be patched.`)
    oneOfWords(parsed, 'type', types)
    const body = await patchFrom(parsed, session)
    for (const secret of secretsIn(kind.kind, body)) session.keepSecret(secret)
    const { client, signal } = session
    const change = kind.patch
    await kind.withId(client, reference.id, { signal }, async (id) => {
      const ifMatch =
        revisionFrom(parsed) ??
        orNoRevision((await kind.get(client, id, { signal })).resourceVersion, shown({ kind, id }))
      const { data } = await change(client, { id, ifMatch, body }, { signal })
      session.show(
        formatted(session.terminal, format, data, () => [note(`${shownFirst({ kind, id })} is changed.`)]),
      )
    })
    return 0
  },
})

async function patchFrom(parsed: ParsedArguments, session: Session): Promise<v2.MergePatch> {
  const text = lastValue(parsed, 'patch')
  const file = lastValue(parsed, 'patch-file')
  if (text !== null && file === null) return patchIn(text, '--patch')
  if (text !== null || file === null) throw new UsageError('Pass either --patch or --patch-file.')
  return patchIn(await readPatch(file, session), file === standardInput ? 'stdin' : file)
}

function patchIn(text: string, place: string): v2.MergePatch {
  const value = parseValue(text, place)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`${place}: a merge patch is an object, such as {"spec": {"enabled": false}}.`)
  const unknown = Object.keys(value).find((key) => !members.includes(key))
  if (unknown !== undefined) {
    const nearest = nearestName(unknown, members)
    throw new UsageError(
      `${place}: "${unknown}" cannot be patched; metadata and spec can.${nearest === null ? '' : ` Did you mean ${nearest}?`}`,
    )
  }
  const glued = gluedKeyIn(value)
  if (glued !== null)
    throw new UsageError(`${place}: "${glued}" needs a space after the colon, or quotes as in JSON.`)
  return value as v2.MergePatch
}

/** In YAML `{enabled:false}` is one key without a value, which would remove a nonexistent field. */
function gluedKeyIn(value: object): string | null {
  for (const [key, inner] of Object.entries(value)) {
    if (inner === null && /^\w+:/.test(key)) return key
    const found = typeof inner === 'object' && inner !== null ? gluedKeyIn(inner) : null
    if (found !== null) return found
  }
  return null
}

async function readPatch(file: string, session: Session): Promise<string> {
  if (file === standardInput) return readStdin(session)
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(`${file} ${code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`}.`, {
      cause: error,
    })
  }
}

async function readStdin(session: Session): Promise<string> {
  const chunks: Uint8Array[] = []
  let byteCount = 0
  for await (const chunk of session.takeStdin()) {
    chunks.push(chunk)
    byteCount += chunk.byteLength
    if (byteCount > mostBytes) throw new UsageError('A patch may have at most 1 MiB.')
  }
  return Buffer.concat(chunks).toString('utf8')
}
