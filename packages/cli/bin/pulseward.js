#!/usr/bin/env node
// bin/pulseward.js: the `pulseward` command. Runs under any Node ≥ 20, see launch.js.
import { setFlagsFromString } from 'node:v8'
import { launch } from './launch.js'
import { installIt, programEntry } from './program.js'

/** They run the service, which lets the compilers go when it is at work. Loading its modules already makes code hot. */
const commandsThatRest = ['serve', 'demo']
const withoutOptimizing = ['--no-maglev', '--no-opt']

function entry() {
  if (commandsThatRest.includes(process.argv[2]))
    for (const flag of withoutOptimizing) setFlagsFromString(flag)
  return programEntry()
}

await launch({ launcher: import.meta.url, entry, installIt })
