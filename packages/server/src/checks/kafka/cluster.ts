// checks/kafka/cluster.ts: what a broker knows of its cluster, read from its answer to a metadata request.
import type { WireReader } from './wire.ts'

/** From the first that does not create the topic it asks for to the last without tagged fields that was needed. */
export const METADATA_VERSIONS = { min: 4, max: 7 } as const

export interface Cluster {
  readonly brokers: number
  /** Only what was asked for: none or one. */
  readonly topics: readonly Topic[]
}

export interface Topic {
  /** 0 for none, as Kafka numbers its errors. */
  readonly error: number
  readonly partitions: readonly Partition[]
}

export interface Partition {
  readonly error: number
  /** Below 0 when it has none. */
  readonly leader: number
  readonly inSync: number
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
