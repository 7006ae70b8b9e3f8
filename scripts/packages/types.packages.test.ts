// The libraries as a TypeScript project sees them: what their READMEs show, type-checked without skipLibCheck, so that the
// declarations have to stand on their own.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeUnless } from '@pulseward/testing'
import { expect, it } from 'vitest'
import { Installation, whyNoPackages } from './installation.ts'

const root = join(import.meta.dirname, '../..')
const libraries = ['contract', 'client', 'worker'] as const

const useTogether = `
import { createClient, type v2 } from '@pulseward/client'
import { v2Api } from '@pulseward/contract/v2/api'
import { check, success } from '@pulseward/worker'

const client = createClient({ baseUrl: 'https://pulseward.example', token: 'token-of-an-operator' })
export const monitor: Promise<v2.Monitor> = client.getMonitor({ id: 'shop' }).then(({ data }) => data)
export const operations: readonly string[] = Object.keys(v2Api.operations)

const properties = { port: { type: 'integer' } } as const
const parameterSchema = { type: 'object', required: ['port'], properties } as const
export const next = check({ parameterSchema }, async ({ parameters }) => success({ port: parameters.port + 1 }))

// Were the types any, these would be no mistakes.
// @ts-expect-error A port is a number.
check({ parameterSchema }, async ({ parameters }) => success({ port: parameters.port.toUpperCase() }))
// @ts-expect-error An id is text.
client.getMonitor({ id: 1 })
`

const compilerOptions = {
  target: 'es2022',
  module: 'nodenext',
  strict: true,
  noEmit: true,
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
}

function exampleOf(library: string): string {
  const readme = readFileSync(join(root, 'packages', library, 'README.md'), 'utf8')
  return /```ts\n(.*?)```/s.exec(readme)![1]!
}

describeUnless(whyNoPackages, 'the libraries in a TypeScript project', () => {
  it('are typed as their READMEs show them', () => {
    using installation = Installation.install(libraries.map((library) => `@pulseward/${library}`))
    installation.write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    installation.write('together.ts', useTogether)
    for (const library of libraries) installation.write(`${library}.ts`, exampleOf(library))
    const compiler = join(root, 'node_modules/.bin/tsc')
    const options = { cwd: installation.root, encoding: 'utf8' } as const
    const { status, stdout } = spawnSync(compiler, ['--pretty', 'false'], options)
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
  })
})
