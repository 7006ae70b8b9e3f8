// Entry point for simulations of the whole controller from a seed. It does not load the test runner.

export { Random } from '../random.ts'
export { defects } from './defects.ts'
export { simulateSeeds } from './simulate-seeds.ts'
export type { SimulationResult } from './simulation.ts'
export { addTally, emptyTally, type Tally } from './tally.ts'
