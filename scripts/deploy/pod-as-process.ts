// scripts/deploy/pod-as-process.ts: the pod of the chart without a cluster: a real service with the
// environment of its manifest, over files as a kubelet lays them out. Only paths and the port differ.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { type CommandEnd, RunningCommand, runCommand } from '@pulseward/testing/process'
import { type Container, containerOf, type Manifest, ofKind, podOf } from './manifests.ts'

type ProbeName = 'startupProbe' | 'livenessProbe' | 'readinessProbe'
type Files = Readonly<Record<string, string>>

/** What the chart does not make, and what differs from a cluster. */
interface Surroundings {
  /** The content of Secrets that the values name. */
  readonly secrets?: Readonly<Record<string, Files>>
  readonly environment?: NodeJS.ProcessEnv
  /** What the service reports when it can be asked. */
  readonly until?: RegExp
}

const started = /"listen":"([^"]+)".*"the service started"/

/** Like a fresh volume that the kubelet gave to the group of the pod. */
const volumeMode = 0o2775

export class PodAsProcess implements AsyncDisposable {
  readonly #container: Container
  #environment: NodeJS.ProcessEnv
  readonly #folder: TemporaryFolder
  readonly #service: RunningCommand
  readonly #fleet: Files
  #versions = 0

  private constructor(
    manifests: readonly Manifest[],
    folder: TemporaryFolder,
    environment: NodeJS.ProcessEnv,
    secrets: Readonly<Record<string, Files>>,
  ) {
    this.#container = containerOf(manifests)
    this.#folder = folder
    this.#environment = environment
    this.#fleet = filesOf(manifests, 'fleet')
    const { volumes, initContainers = [] } = podOf(manifests)
    const mounts = [...initContainers, this.#container].flatMap(({ volumeMounts }) => volumeMounts)
    for (const { mountPath } of mounts) {
      mkdirSync(folder.path(mountPath), { recursive: true })
      chmodSync(folder.path(mountPath), volumeMode)
    }
    this.#mount('settings', filesOf(manifests, 'settings'))
    if (Object.keys(this.#fleet).length > 0) this.#mount('fleet', this.#fleet)
    for (const { name, secret } of volumes) {
      const place = mounts.find((mount) => mount.name === name)
      for (const [file, content] of Object.entries(secrets[secret?.secretName ?? ''] ?? {}))
        folder.write(join(place!.mountPath, file), content)
    }
    for (const { command } of initContainers) runFirst(command, folder)
    this.#service = new RunningCommand(this.#container.args, { environment })
  }

  /** Resolves when the service reports that it started. */
  static async start(
    manifests: readonly Manifest[],
    { secrets = {}, environment = {}, until = started }: Surroundings = {},
  ): Promise<PodAsProcess> {
    const folder = temporaryFolder()
    const variables = { ...environmentOf(manifests, folder), ...environment }
    const pod = new PodAsProcess(manifests, folder, variables, secrets)
    try {
      const [, url] = await pod.#service.until('stderr', until)
      pod.#environment = { ...pod.#environment, PULSEWARD_SERVER: url }
      return pod
    } catch (error) {
      await pod[Symbol.asyncDispose]()
      throw error
    }
  }

  /** The command of the probe, with the environment of the container. */
  probe(name: ProbeName, environment: NodeJS.ProcessEnv = {}): Promise<CommandEnd> {
    const [program, ...words] = this.#container[name].exec!.command
    if (program !== 'pulseward') throw new Error(`${program} is not in the image`)
    return runCommand(words, { environment: { ...this.#environment, ...environment } })
  }

  run(...words: string[]): Promise<CommandEnd> {
    return runCommand(words, { environment: this.#environment })
  }

  changeFleet(change: (file: string) => string): void {
    const changed = Object.entries(this.#fleet).map(([name, content]) => [name, change(content)])
    this.#mount('fleet', Object.fromEntries(changed))
  }

  async stop(): Promise<CommandEnd> {
    this.#service.signal('SIGTERM')
    return await this.#service.ended
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#service[Symbol.asyncDispose]()
    this.#folder[Symbol.dispose]()
  }

  /** Files are links into `..data`, itself a link to a folder of this version, which is replaced atomically. */
  #mount(volume: string, files: Files): void {
    const { mountPath } = this.#container.volumeMounts.find(({ name }) => name === volume)!
    const place = this.#folder.path(mountPath)
    const version = `..version-${this.#versions++}`
    mkdirSync(join(place, version))
    for (const [name, content] of Object.entries(files)) writeFileSync(join(place, version, name), content)
    symlinkSync(version, join(place, '..data_tmp'))
    renameSync(join(place, '..data_tmp'), join(place, '..data'))
    for (const name of Object.keys(files)) {
      rmSync(join(place, name), { force: true })
      symlinkSync(join('..data', name), join(place, name))
    }
  }
}

/** A command of the image, over the files of this pod. */
function runFirst([program, ...words]: readonly string[], folder: TemporaryFolder): void {
  const isPath = (word: string) => word.startsWith('/')
  const placed = words.map((word) => {
    const [option = '', path = ''] = word.split('=')
    if (isPath(word)) return folder.path(word)
    return isPath(path) ? `${option}=${folder.path(path)}` : word
  })
  execFileSync(program!, placed)
}

function environmentOf(manifests: readonly Manifest[], folder: TemporaryFolder): NodeJS.ProcessEnv {
  const variables = containerOf(manifests).env.map(({ name, value, valueFrom }) => {
    if (valueFrom !== undefined) return [name, secretOf(manifests, valueFrom.secretKeyRef)]
    return [name, value!.startsWith('/') ? folder.path(value!) : value]
  })
  return { ...Object.fromEntries(variables), PULSEWARD_LISTEN: '127.0.0.1:0' }
}

function secretOf(manifests: readonly Manifest[], { name, key }: { name: string; key: string }): string {
  const secret = ofKind(manifests, 'Secret').find(({ metadata }) => metadata.name === name)
  return Buffer.from(secret!.data![key]!, 'base64').toString('utf8')
}

/** The content of a volume's ConfigMap; empty if there is no such volume. */
function filesOf(manifests: readonly Manifest[], volume: string): Files {
  const name = podOf(manifests).volumes.find((one) => one.name === volume)?.configMap?.name
  return ofKind(manifests, 'ConfigMap').find(({ metadata }) => metadata.name === name)?.data ?? {}
}
