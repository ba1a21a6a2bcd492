/** Temporary MySQL and Redis databases for the benchmark. */
import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { createConnection } from 'mysql2/promise';
import { localProcess } from './measure.mjs';

const DATABASE_PREFIX = 'passbell_bench_';
/** A key that marks the Redis databases of the benchmark. Only databases that contain this key are emptied. */
const MARKER_KEY = 'passbell-bench';

export async function openDatabases({ databaseUrl, redisUrl }) {
  const connection = await createConnection({ uri: withPath(databaseUrl, ''), multipleStatements: false });
  const redis = new Redis(withPath(redisUrl, ''), { lazyConnect: true, maxRetriesPerRequest: 1 });
  await redis.connect();
  const firstRedis = Number(new URL(redisUrl).pathname.slice(1) || 0);
  const used = { names: [], redis: [] };

  const variable = async (name) => {
    const [[row]] = await connection.query('show global variables like ?', [name]);
    return row?.Value;
  };

  async function emptyRedis(number) {
    await redis.select(number);
    if ((await redis.dbsize()) > 0 && !(await redis.exists(MARKER_KEY)))
      throw new Error(`Redis database ${number} contains other data: select an empty database with --redis-url`);
    await redis.flushdb();
  }

  return {
    /** Returns the server versions for the report. */
    async versions() {
      const server = /redis_version:(\S+)/.exec(await redis.info('server'))?.[1];
      const [[{ version }]] = await connection.query('select version() as version');
      return { database: version, redis: server, flush: await variable('innodb_flush_log_at_trx_commit') };
    },

    /** Returns the process ids of the servers that run on this machine. */
    async pids() {
      let database;
      try {
        database = Number(readFileSync(await variable('pid_file'), 'utf8'));
      } catch {
        // The server runs on another machine, or the file is not readable.
      }
      const server = Number(/process_id:(\d+)/.exec(await redis.info('server'))?.[1]);
      return {
        database: database && localProcess(database, 'mariadbd', 'mysqld'),
        redis: localProcess(server, 'redis-server'),
      };
    },

    /** Creates an empty database and returns its URL. */
    async fresh(name) {
      const database = DATABASE_PREFIX + name.replaceAll('-', '_');
      await connection.query(`drop database if exists ${database}`);
      await connection.query(`create database ${database} character set utf8mb4`);
      used.names.push(database);
      return withPath(databaseUrl, database);
    },

    /** Reserves the next Redis database, which must be empty, and returns its URL. */
    async freshRedis() {
      const number = firstRedis + used.redis.length;
      await emptyRedis(number);
      await redis.set(MARKER_KEY, '1');
      used.redis.push(number);
      return withPath(redisUrl, number);
    },

    /** Returns how many MySQL statements and Redis commands ran since the servers started. */
    async status() {
      const [rows] = await connection.query(`show global status where variable_name in ('Questions', 'Com_commit')`);
      const counts = Object.fromEntries(rows.map(({ Variable_name: name, Value }) => [name, Number(Value)]));
      const commands = Number(/total_commands_processed:(\d+)/.exec(await redis.info('stats'))?.[1]);
      return { questions: counts.Questions, commits: counts.Com_commit, redisCommands: commands };
    },

    /** Removes all databases created so far. */
    async release() {
      for (const name of used.names.splice(0)) await connection.query(`drop database if exists ${name}`);
      for (const number of used.redis.splice(0)) await emptyRedis(number);
    },

    async close() {
      await this.release();
      await connection.end();
      redis.disconnect();
    },
  };
}

export function withPath(address, path) {
  const url = new URL(address);
  url.pathname = `/${path}`;
  return url.href;
}
