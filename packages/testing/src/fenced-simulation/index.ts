// Entry point for simulations of several processes on one store. It does not load the test runner.

export { type FencedDefectName, fencedDefects } from './fenced-defects.ts'
export { simulateFencedSeeds } from './simulate-fenced-seeds.ts'
