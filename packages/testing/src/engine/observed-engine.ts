// engine/observed-engine.ts: an engine together with its parts, for harnesses that watch or break it from inside.
import { createEngine } from '@pulseward/server/internal/engine/create-engine.ts'
import type { Engine } from '@pulseward/server/internal/engine/engine.ts'
import type { EngineOptions, EngineParts } from '@pulseward/server/internal/engine/engine-parts.ts'

export interface ObservedEngine {
  readonly engine: Engine
  readonly parts: EngineParts
}

/** change: plants a defect before the engine gets its parts. */
export function observedEngine(
  options: EngineOptions,
  change: (parts: EngineParts) => void = () => {},
): ObservedEngine {
  const seen: { parts?: EngineParts } = {}
  const engine = createEngine(options, (parts) => {
    seen.parts = parts
    change(parts)
  })
  if (seen.parts === undefined) throw new Error('the engine was made without parts')
  return { engine, parts: seen.parts }
}
