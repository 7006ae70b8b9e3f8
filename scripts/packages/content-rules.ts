// scripts/packages/content-rules.ts: what a package may contain. A package that breaks a rule is not packed,
// so it cannot be published.

export interface PackedFile {
  readonly path: string
  readonly bytes: number
}

interface Bound {
  readonly packedBytes: number
  readonly unpackedBytes: number
}

const kilobyte = 1_000

/** A third above the sizes at the time of writing, so that a package does not double unnoticed. */
export const sizeBounds: Readonly<Record<string, Bound>> = {
  '@pulseward/contract': { packedBytes: 350 * kilobyte, unpackedBytes: 4_300 * kilobyte },
  '@pulseward/client': { packedBytes: 70 * kilobyte, unpackedBytes: 360 * kilobyte },
  '@pulseward/worker': { packedBytes: 47 * kilobyte, unpackedBytes: 158 * kilobyte },
  pulseward: { packedBytes: 2_000 * kilobyte, unpackedBytes: 7_200 * kilobyte },
}

const largestMapBytes = 1_000 * kilobyte
const always = ['package.json', 'README.md', 'LICENSE']

const forbidden: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/\.(test|fixture)\.[^/]+$/, 'is for tests'],
  [/(^|\/)(src|test|tests|golden)\//, 'lies in a folder of sources'],
  [/(?<!\.d)\.tsx?$/, 'is a source'],
  [/\.tsbuildinfo$|(^|\/)tsconfig[^/]*\.json$/, 'is for the compiler'],
  [/(^|\/)\.(?!$)/, 'is hidden'],
  [/(^|\/)node_modules\//, 'is an installed dependency'],
  [/\.(db|log|key|pem|token)$/, 'looks like data or a secret'],
]

export interface PackedContents extends Bound {
  readonly name: string
  readonly files: readonly PackedFile[]
}

/** Every mistake as a sentence; none if the package may be published. */
export function contentMistakes({ name, files, packedBytes, unpackedBytes }: PackedContents): string[] {
  const bound = sizeBounds[name]
  if (bound === undefined) return [`${name} has no bounds of its size in content-rules.ts.`]
  const paths = new Set(files.map(({ path }) => path))
  return [
    ...always.filter((path) => !paths.has(path)).map((path) => `${name} has no ${path}.`),
    ...files.flatMap((file) => fileMistakes(file).map((why) => `${name} has ${file.path}, which ${why}.`)),
    ...over(`${name} packed`, packedBytes, bound.packedBytes),
    ...over(`${name} unpacked`, unpackedBytes, bound.unpackedBytes),
  ]
}

function fileMistakes({ path, bytes }: PackedFile): string[] {
  const found = forbidden.filter(([pattern]) => pattern.test(path)).map(([, why]) => why)
  if (path.endsWith('.map') && bytes > largestMapBytes) found.push(`is a map of ${bytes} bytes`)
  return found
}

function over(what: string, bytes: number, bound: number): string[] {
  return bytes <= bound ? [] : [`${what} has ${bytes} bytes, more than ${bound}.`]
}
