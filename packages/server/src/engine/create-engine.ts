// engine/create-engine.ts: how an engine is made, by the app, a test, the simulation or the crash harness alike. They differ
// only in what they pass in.
import { Engine } from './engine.ts'
import { createParts, type EngineOptions, type EngineParts } from './engine-parts.ts'

/** look: for tests that watch or break a part from inside. */
export function createEngine(options: EngineOptions, look: (parts: EngineParts) => void = () => {}): Engine {
  const parts = createParts(options, (work) => void engine.turn(work))
  look(parts)
  const engine = new Engine(parts)
  return engine
}
