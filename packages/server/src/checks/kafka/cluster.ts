// checks/kafka/cluster.ts: what a broker knows about its cluster, read from its answer to a metadata request,
// and whether that is as configured.
import { counted, quote } from '../../platform/wording.ts'
import { CheckFailure } from '../driver.ts'
import type { WireReader } from './wire.ts'

/** From the first version that does not have to create the topic to the last one we need that has no tagged fields. */
export const METADATA_VERSIONS = { min: 4, max: 7 } as const

const UNKNOWN_TOPIC = 3
const NO_LEADER = 5
const NOT_AUTHORIZED = 29

export interface Cluster {
  readonly brokers: number
  /** Only what was requested: none or one. */
  readonly topics: readonly Topic[]
}

interface Topic {
  /** 0 for none, as Kafka numbers its errors. */
  readonly error: number
  readonly partitions: readonly Partition[]
}

interface Partition {
  readonly error: number
  /** Below 0 if it has none. */
  readonly leader: number
  readonly inSync: number
}

interface Wanted {
  readonly topic?: string
  readonly min_brokers?: number
  readonly min_in_sync_replicas?: number
}

export function readCluster(reader: WireReader, version: number): Cluster {
  skipThrottleTime(reader)
  const brokers = reader.list(() => {
    reader.int32()
    reader.text()
    reader.int32()
    reader.text()
  })
  skipClusterAndController(reader)
  const topics = reader.list(() => readTopic(reader, version))
  return { brokers: brokers.length, topics }
}

function skipThrottleTime(reader: WireReader): void {
  reader.int32()
}

function skipClusterAndController(reader: WireReader): void {
  reader.text()
  reader.int32()
}

function readTopic(reader: WireReader, version: number): Topic {
  const error = reader.int16()
  reader.text()
  reader.int8()
  return { error, partitions: reader.list(() => readPartition(reader, version)) }
}

function readPartition(reader: WireReader, version: number): Partition {
  const error = reader.int16()
  reader.int32()
  const leader = reader.int32()
  if (version >= 7) reader.int32()
  reader.list(() => reader.int32())
  const inSync = reader.list(() => reader.int32()).length
  if (version >= 5) reader.list(() => reader.int32())
  return { error, leader, inSync }
}

/** Throws CheckFailure for the first expectation that is not met. */
export function requireCluster(cluster: Cluster, wanted: Wanted, peer: string): void {
  const { topic, min_brokers = 0, min_in_sync_replicas } = wanted
  if (cluster.brokers < min_brokers)
    throw new CheckFailure(
      `the cluster of ${peer} has ${counted(cluster.brokers, 'broker')}, fewer than ${min_brokers}`,
    )
  if (topic !== undefined) requireTopic(cluster.topics[0], quote(topic), min_in_sync_replicas)
}

function requireTopic(topic: Topic | undefined, name: string, minInSync: number | undefined): void {
  if (topic === undefined || topic.error === UNKNOWN_TOPIC)
    throw new CheckFailure(`there is no topic ${name}`)
  if (topic.error === NOT_AUTHORIZED) throw new CheckFailure(`the user may not look at the topic ${name}`)
  if (topic.error !== 0 && topic.error !== NO_LEADER)
    throw new CheckFailure(`the cluster cannot tell about the topic ${name} (error ${topic.error})`)
  const { partitions } = topic
  const leaderless = partitions.filter(({ leader }) => leader < 0).length
  if (leaderless > 0 || topic.error === NO_LEADER)
    throw new CheckFailure(
      `${leaderless} of ${counted(partitions.length, 'partition')} of the topic ${name} have no leader`,
    )
  if (minInSync === undefined) return
  const lagging = partitions.filter(({ inSync }) => inSync < minInSync).length
  if (lagging === 0) return
  const replicas = counted(minInSync, 'replica')
  throw new CheckFailure(
    `${lagging} of ${counted(partitions.length, 'partition')} of the topic ${name} have fewer than ${replicas} in sync`,
  )
}
