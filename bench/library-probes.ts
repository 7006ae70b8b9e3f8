// bench/library-probes.ts: the usual client library of a protocol does what a check does, as its documentation shows:
// connect, log in, query, close. Every probe opens a separate connection, as a check does.
import { once } from 'node:events'
import { credentials, Client as GrpcClient } from '@grpc/grpc-js'
import { Connection as KafkaConnection, metadataV7 } from '@platformatic/kafka'
import { connect as connectAmqp } from 'amqplib'
import { MongoClient } from 'mongodb'
import mysql from 'mysql2'
import pg from 'pg'
import { Client as SshClient } from 'ssh2'
import { WebSocket } from 'ws'
import type { Probe } from './bare-probes.ts'
import type { CheckTarget } from './check-targets.ts'

const host = '127.0.0.1'

export function pgProbe({ port, login, subject }: CheckTarget): Probe {
  return async () => {
    const client = new pg.Client({ host, port, ...login, database: subject })
    await client.connect()
    await client.query('SELECT 1')
    await client.end()
  }
}

export function mysqlProbe({ port, login, subject }: CheckTarget): Probe {
  return () =>
    new Promise((resolve, reject) => {
      const connection = mysql.createConnection({ host, port, ...login, database: subject ?? '' })
      connection.on('error', reject)
      connection.query('SELECT 1', (error) => {
        if (error) return reject(error)
        connection.end((problem) => (problem ? reject(problem) : resolve()))
      })
    })
}

export function mongoProbe({ port, login }: CheckTarget): Probe {
  const auth = { username: login!.user, password: login!.password }
  return async () => {
    await using client = new MongoClient(`mongodb://${host}:${port}/?directConnection=true`, { auth })
    await client.db('admin').command({ ping: 1 })
  }
}

export function amqpProbe({ port, login, subject }: CheckTarget): Probe {
  const { user, password } = login!
  return async () => {
    const options = { hostname: host, port, username: user, password, vhost: subject ?? '/' }
    const connection = await connectAmqp(options)
    await connection.close()
  }
}

export function kafkaProbe({ port, login }: CheckTarget): Probe {
  const { user, password } = login!
  return async () => {
    const sasl = { mechanism: 'PLAIN', username: user, password } as const
    const connection = new KafkaConnection('bench', { sasl })
    await connection.connect(host, port)
    await metadataV7.api.async(connection, [], false, false)
    await connection.close()
  }
}

export function sshProbe({ port, login, key }: CheckTarget): Probe {
  return async () => {
    const client = new SshClient()
    client.connect({ host, port, username: login!.user, privateKey: key! })
    await once(client, 'ready')
    client.destroy()
  }
}

export function wsProbe({ port }: CheckTarget): Probe {
  return async () => {
    const socket = new WebSocket(`ws://${host}:${port}/`)
    await once(socket, 'message')
    socket.terminate()
  }
}

/** Without a local pool each client would share the connection of the previous one. */
const grpcOptions = { 'grpc.use_local_subchannel_pool': 1 }

export function grpcProbe({ port }: CheckTarget): Probe {
  const asIs = (bytes: Buffer): Buffer => bytes
  return () =>
    new Promise((resolve, reject) => {
      const client = new GrpcClient(`${host}:${port}`, credentials.createInsecure(), grpcOptions)
      const question = Buffer.alloc(0)
      client.makeUnaryRequest('/grpc.health.v1.Health/Check', asIs, asIs, question, (error) => {
        client.close()
        if (error) reject(error)
        else resolve()
      })
    })
}
