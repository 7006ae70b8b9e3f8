// scripts/packages/size-table.ts: the sizes of the packages, as lines for the terminal.
import type { PackedPackage } from './pack-packages.ts'

const heading = ['Package', 'Files', 'Packed', 'Unpacked']

export function sizeTable(packages: readonly Omit<PackedPackage, 'archive'>[]): string {
  const rows = packages.map(({ name, version, files, packedBytes, unpackedBytes }) => [
    `${name} ${version}`,
    String(files.length),
    kilobytes(packedBytes),
    kilobytes(unpackedBytes),
  ])
  const lines = [heading, ...rows]
  const widths = heading.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)))
  return lines
    .map((line) => `${line.map((cell, column) => aligned(cell, column, widths)).join('  ')}\n`)
    .join('')
}

function aligned(cell: string, column: number, widths: readonly number[]): string {
  const width = widths[column]!
  return column === 0 ? cell.padEnd(width) : cell.padStart(width)
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`
}
