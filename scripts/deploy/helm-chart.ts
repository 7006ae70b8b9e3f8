// scripts/deploy/helm-chart.ts: runs Helm and kubeconform on the chart for tests.
import { execFile, spawnSync } from 'node:child_process'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { type Manifest, readManifests } from './manifests.ts'

const root = join(import.meta.dirname, '../..')
const chartFolder = join(root, 'deploy/helm/pulseward')
const schemas = join(import.meta.dirname, 'kubernetes-schemas/{{ .ResourceKind }}{{ .KindSuffix }}.json')
/** The version of the vendored schemas; a Helm built from source would assume a very old one. */
const kubernetesVersion = '1.36.3'

/** Without the variables of the user who runs the tests: they name plugins, settings and clusters of Helm. */
const environment = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent' }

export interface Said {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface ChartTools {
  readonly helm: string
  readonly kubeconform: string
}

export class HelmChart implements Disposable {
  readonly #tools: ChartTools
  readonly #folder: TemporaryFolder
  readonly #chart: string

  private constructor(tools: ChartTools, folder: TemporaryFolder, chart: string) {
    this.#tools = tools
    this.#folder = folder
    this.#chart = chart
  }

  static inPlace(tools: ChartTools): HelmChart {
    return new HelmChart(tools, temporaryFolder(), chartFolder)
  }

  /** Replaces the first occurrence of a text; a missing text is a mistake of the test. */
  static copyWith(tools: ChartTools, file: string, from: string, to: string): HelmChart {
    const folder = temporaryFolder()
    const chart = folder.path('pulseward')
    cpSync(chartFolder, chart, { recursive: true })
    const before = readFileSync(join(chart, file), 'utf8')
    if (!before.includes(from)) throw new Error(`${file} does not contain ${from}`)
    folder.write(
      join('pulseward', file),
      before.replace(from, () => to),
    )
    return new HelmChart(tools, folder, chart)
  }

  lint(values: object): Said {
    return this.#helm('lint', '--strict', '--quiet', ...this.#withValues(values), this.#chart)
  }

  template(values: object): Said {
    return this.#helm(...this.#template(values))
  }

  /** Renders like an upgrade, which reads the cluster. Does not block, so that this process can act as the cluster. */
  async manifestsInCluster(values: object, apiServer: string): Promise<Manifest[]> {
    const words = [...this.#template(values), '--dry-run=server', '--kube-apiserver', apiServer]
    const { stdout } = await promisify(execFile)(this.#tools.helm, words, { env: environment })
    return readManifests(stdout)
  }

  /** Throws with Helm's message if Helm refuses. */
  manifests(values: object): Manifest[] {
    const { status, stdout, stderr } = this.template(values)
    if (status !== 0) throw new Error(stderr)
    return readManifests(stdout)
  }

  /** What kubeconform says about the rendered objects. A kind without a schema is a failure. */
  validate(values: object): Said {
    const rendered = this.template(values)
    if (rendered.status !== 0) throw new Error(rendered.stderr)
    return runProgram(
      this.#tools.kubeconform,
      ['-strict', '-summary', '-schema-location', schemas],
      rendered.stdout,
    )
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]()
  }

  #template(values: object): string[] {
    const version = ['--kube-version', kubernetesVersion, '--namespace', 'monitoring']
    return ['template', 'home', this.#chart, ...version, ...this.#withValues(values)]
  }

  #withValues(values: object): string[] {
    return ['--values', this.#folder.write('values.json', JSON.stringify(values))]
  }

  #helm(...words: string[]): Said {
    return runProgram(this.#tools.helm, words)
  }
}

function runProgram(program: string, words: readonly string[], input = ''): Said {
  const { status, stdout, stderr } = spawnSync(program, words, {
    encoding: 'utf8',
    input,
    env: environment,
    maxBuffer: 1 << 26,
  })
  return { status, stdout, stderr }
}
