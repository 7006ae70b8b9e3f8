#!/usr/bin/env node
// bin/pulseward.js: the `pulseward` command. Runs under any Node ≥ 20, see launch.js.
import { launch } from './launch.js'
import { installIt, programEntry } from './program.js'

await launch({ launcher: import.meta.url, entry: programEntry, installIt })
