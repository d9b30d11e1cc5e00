// Log: what a node reports about itself, one line per event, on standard error: JSON for programs, text at a terminal.
//
// Messages for people who start it go to standard output instead, so that neither gets in the other's way.
import type { FastifyBaseLogger } from 'fastify'
import pino, { type DestinationStream } from 'pino'
import pretty from 'pino-pretty'
import type { Config, LogLevel } from '#server/start/config.ts'
import { textOf } from '#server/errors/thrown.ts'
import { openOutageLines } from '#server/watch/outage-lines.ts'
import { redact } from '#server/watch/redact.ts'

export type Log = FastifyBaseLogger
export interface LogOptions {
  format: 'json' | 'text'
  level: LogLevel
}

/** At a terminal only warnings and errors are logged; for a program everything. */
export function reporting({ log_format, log_level }: Pick<Config, 'log_format' | 'log_level'>): LogOptions {
  const format = log_format === 'auto' ? (process.stderr.isTTY ? 'text' : 'json') : log_format
  return { format, level: log_level ?? (format === 'text' ? 'warn' : 'info') }
}

const error_output = 2
/** Buffer for a reader that has stopped reading; beyond it lines are lost, and the node goes on. */
const waiting_bytes_max = 16 * 1024 * 1024
/** Lines are written in batches: writing each separately costs a fifteenth of the server's time for a list. None waits long. */
const together = { minLength: 4096, periodicFlush: 250 }
const causes_max = 3

interface ReportedError {
  type: string
  code?: string
  message: string
  stack?: string
  cause?: ReportedError
}

/** An error may even fail to be read. Its line in the log must not get lost over that, nor the work of whoever writes it. */
function serialized(error: unknown, causes = 0): ReportedError {
  try {
    return described(error, causes)
  } catch {
    return { type: typeof error, message: 'an error that cannot be read' }
  }
}

/** Only the known fields: others that a database error has (`detail`, `where`) quote customers' data. */
function described(error: unknown, causes: number): ReportedError {
  if (!(error instanceof Error)) return { type: typeof error, message: redact(textOf(error)) }
  const { code } = error as NodeJS.ErrnoException
  return {
    type: error.name,
    ...(code !== undefined && { code }),
    message: redact(error.message),
    ...(error.stack !== undefined && { stack: redact(error.stack) }),
    ...(error.cause !== undefined && causes < causes_max && { cause: serialized(error.cause, causes + 1) }),
  }
}

/** Never expected in a line, but removed wherever they occur. */
const secret_names = ['password', 'token', 'secret', 'authorization', 'cookie', 'email', 'ip']

/** @param to where the lines go; tests pass a stream of their own. */
export function openLog({ format, level }: LogOptions, to: DestinationStream = destination(format)): Log {
  const outage = openOutageLines((found) =>
    log.warn(found, 'the database answers again; lines like the first were left out'),
  )
  const log: Log = pino(
    {
      hooks: {
        logMethod(given, write) {
          const verdict = outage.verdictOn(given[0])
          if (verdict === 'other') return write.apply(this, given)
          // With its fields: they say what was being done.
          if (verdict === 'first') write.apply(this, [given[0], 'the database does not answer'])
        },
      },
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error: unknown) => serialized(error) },
      redact: { paths: secret_names.flatMap((name) => [name, `*.${name}`]), remove: true },
    },
    to,
  )
  return log
}

function destination(format: LogOptions['format']): DestinationStream {
  if (format === 'text') {
    const colorize = process.stderr.isTTY
    const ignore = 'pid,hostname'
    return pretty({
      colorize,
      ignore,
      translateTime: 'SYS:HH:MM:ss',
      singleLine: true,
      destination: error_output,
      sync: true,
    })
  }
  const lines = pino.destination({ dest: error_output, sync: false, maxLength: waiting_bytes_max, ...together })
  // The reader may be gone, which is no reason to stop serving.
  lines.on('error', () => {})
  // The last lines are the ones that matter when a process ends.
  process.on('exit', () => {
    try {
      lines.flushSync()
    } catch {
      // Nobody reads any more.
    }
  })
  return lines
}

/** Keeps nothing: for tests and commands that report in their own way. */
export const noLog: Log = pino({ level: 'silent' })
