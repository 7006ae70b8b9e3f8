// scripts/container/dockerfile.ts: reads from the last stage of a Dockerfile how its image runs, so that a
// test without a container engine can run the same. Reads the few forms that ours uses, and refuses others.
import { readFileSync } from 'node:fs'

export interface ImageConfiguration {
  readonly environment: Readonly<Record<string, string>>
  readonly uid: number
  readonly cwd: string
  readonly volume: string
  readonly port: number
  readonly stopSignal: NodeJS.Signals
  /** The entry point and its default arguments. */
  readonly words: readonly string[]
  readonly healthCheck: readonly string[]
}

export function readDockerfile(path: string): ImageConfiguration {
  const lines = readFileSync(path, 'utf8').replaceAll('\\\n', ' ').split('\n')
  const instructions = lines.filter((line) => line !== '' && !line.startsWith('#'))
  const stage = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM ')))
  const all = (name: string) =>
    stage.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1).trim())
  const one = (name: string) => {
    const [value, ...others] = all(name)
    if (value === undefined || others.length > 0)
      throw new Error(`${path} needs one ${name} in its last stage.`)
    return value
  }
  const [uid = '', gid] = one('USER').split(':')
  if (!/^[1-9]\d*$/.test(uid) || gid !== uid) throw new Error(`${path} needs a USER by number, not root.`)
  return {
    environment: Object.fromEntries(all('ENV').map((assignment) => assignment.split('=', 2))),
    uid: Number(uid),
    cwd: one('WORKDIR'),
    volume: one('VOLUME'),
    port: Number(one('EXPOSE')),
    stopSignal: one('STOPSIGNAL') as NodeJS.Signals,
    words: [...JSON.parse(one('ENTRYPOINT')), ...JSON.parse(one('CMD'))],
    healthCheck: JSON.parse(/ CMD (\[.*\])$/.exec(one('HEALTHCHECK'))![1]!),
  }
}
