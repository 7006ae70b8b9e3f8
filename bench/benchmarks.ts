// bench/benchmarks.ts: every benchmark by its name.
import { accept } from './accept.ts'
import { api } from './api.ts'
import type { Benchmark } from './benchmark.ts'
import { check } from './check.ts'
import { dashboard } from './dashboard.ts'
import { epoll } from './epoll.ts'
import { fleet } from './fleet.ts'
import { fuzz } from './fuzz.ts'
import { https } from './https.ts'
import { httpsMemory } from './https-memory.ts'
import { idle } from './idle.ts'
import { load } from './load.ts'
import { memory } from './memory.ts'
import { peers } from './peers.ts'
import { push } from './push.ts'
import { query } from './query.ts'
import { snapshot } from './snapshot.ts'
import { soak } from './soak.ts'
import { start } from './start.ts'
import { status } from './status.ts'
import { store } from './store.ts'
import { storeCopy } from './store-copy.ts'
import { storm } from './storm.ts'
import { trends } from './trends.ts'
import { v2 } from './v2.ts'
import { wheel } from './wheel.ts'
import { workers } from './workers.ts'

export const benchmarks: Readonly<Record<string, Benchmark>> = {
  load,
  wheel,
  fleet,
  peers,
  https,
  'https-memory': httpsMemory,
  check,
  epoll,
  storm,
  soak,
  api,
  accept,
  v2,
  workers,
  push,
  status,
  query,
  dashboard,
  idle,
  memory,
  snapshot,
  start,
  store,
  'store-copy': storeCopy,
  trends,
  fuzz,
}
