// engine/create-engine.ts: creates an engine, in the same way for the app, the tests, the simulation and the
// crash harness. They differ only in what they pass in.
import { Engine } from './engine.ts'
import { createParts, type EngineOptions, type EngineParts } from './engine-parts.ts'

/** look: for tests that observe or break a part from inside. */
export function createEngine(options: EngineOptions, look: (parts: EngineParts) => void = () => {}): Engine {
  const parts = createParts(options)
  look(parts)
  const engine = new Engine(parts)
  parts.actions.tell(engine)
  return engine
}
