// Logs of single requests, each made when it has something to say: of most reads nothing is logged, and a log of its own, with
// what it must not tell, costs each of them more than finding its route.
import type { FastifyBaseLogger } from 'fastify';

type Bindings = Parameters<FastifyBaseLogger['child']>[0];
type Options = Parameters<FastifyBaseLogger['child']>[1];
type Line = Parameters<FastifyBaseLogger['info']>;

/** Fastify's `childLoggerFactory`. */
export const lazyLog = (parent: FastifyBaseLogger, bindings: Bindings, options?: Options) =>
  new LazyLog(parent, bindings, options);

// A class, since an object with functions of its own would cost as much as what it saves.
class LazyLog implements FastifyBaseLogger {
  private readonly parent: FastifyBaseLogger;
  private readonly bindings: Bindings;
  private readonly options: Options;
  private made: FastifyBaseLogger | undefined;

  constructor(parent: FastifyBaseLogger, bindings: Bindings, options: Options) {
    this.parent = parent;
    this.bindings = bindings;
    this.options = options;
    this.made = undefined;
  }

  private log(): FastifyBaseLogger {
    return (this.made ??= this.parent.child(this.bindings, this.options));
  }

  get level(): string {
    return this.log().level;
  }
  set level(level: string) {
    this.log().level = level;
  }

  fatal(...line: Line): void {
    this.log().fatal(...line);
  }
  error(...line: Line): void {
    this.log().error(...line);
  }
  warn(...line: Line): void {
    this.log().warn(...line);
  }
  info(...line: Line): void {
    this.log().info(...line);
  }
  debug(...line: Line): void {
    this.log().debug(...line);
  }
  trace(...line: Line): void {
    this.log().trace(...line);
  }
  silent(...line: Line): void {
    this.log().silent(...line);
  }
  child(bindings: Bindings, options?: Options): FastifyBaseLogger {
    return this.log().child(bindings, options);
  }
}
