/** What Prometheus has seen, a value a minute from minute 0 on, in its own notation. */
type Seen = Readonly<Record<string, string>>

interface AlertCase {
  /** What goes wrong, and then what is well although it looks similar. */
  readonly wrong: Seen
  readonly well: Seen
  /** Both are looked at in this minute. */
  readonly minute: number
  /** What the alert then says, by the labels that it has beside its severity. */
  readonly says: string
  readonly labels?: Readonly<Record<string, string>>
}

const calls = (labels: string) => `hearth_http_requests_total{${labels}}`
const seconds = (bucket: string, path = "/v1/client/users/me") =>
  `hearth_http_request_duration_seconds_bucket{path="${path}",le="${bucket}"}`
const arriving = { [calls('method="POST",path="/v1/client/events",status="200"')]: "0+60x30" }

/** An incident of every alert, and a time without one. */
export const alertCases: Readonly<Record<string, AlertCase>> = {
  HearthDown: {
    wrong: { 'up{job="hearth-server",instance="a:8080"}': "1x5 0x10" },
    well: { 'up{job="hearth-server",instance="a:8080"}': "1x7 0 1x10" },
    minute: 9,
    labels: { instance: "a:8080", job: "hearth-server" },
    says: "a:8080 does not answer.",
  },
  HearthErrors: {
    wrong: { [calls('status="200"')]: "0+96x30", [calls('status="500"')]: "0+4x30" },
    well: {
      [calls('status="200"')]: "0+996x30",
      [calls('status="500"')]: "0+4x30",
      [calls('status="503"')]: "0+90x30",
    },
    minute: 20,
    says: "4% of the answers are faults of the service.",
  },
  HearthUnavailable: {
    wrong: { [calls('status="200",path="/v1"')]: "0+90x30", [calls('status="503",path="/v1"')]: "0+10x30" },
    well: { [calls('status="200",path="/v1"')]: "0+90x30", [calls('status="503",path="/health/ready"')]: "0+10x30" },
    minute: 20,
    says: "10% of the calls are told to try again.",
  },
  HearthSlow: {
    wrong: { [seconds("1")]: "0+90x30", [seconds("2")]: "0+100x30", [seconds("+Inf")]: "0+100x30" },
    well: {
      ...{ [seconds("1")]: "0+100x30", [seconds("2")]: "0+100x30", [seconds("+Inf")]: "0+100x30" },
      ...{ [seconds("1", "/users/export")]: "0x30", [seconds("+Inf", "/users/export")]: "0+100x30" },
    },
    minute: 25,
    says: "One in a hundred calls takes 1.9s or longer.",
  },
  HearthOverloaded: {
    wrong: { 'hearth_http_overload_refused_total{instance="a:8080"}': "0x8 1x10" },
    well: { 'hearth_http_overload_refused_total{instance="a:8080"}': "7x30" },
    minute: 10,
    labels: { instance: "a:8080" },
    says: "a:8080 refuses calls before it begins them.",
  },
  HearthEventLoopLate: {
    wrong: { 'nodejs_eventloop_lag_p99_seconds{job="hearth-worker",instance="b:9090"}': "0.9x30" },
    well: { 'nodejs_eventloop_lag_p99_seconds{job="hearth-worker",instance="b:9090"}': "0.01x10 0.9x3 0.01x20" },
    minute: 12,
    labels: { instance: "b:9090", job: "hearth-worker" },
    says: "b:9090 has more to compute than one core does.",
  },
  HearthDatabaseBusy: {
    wrong: { 'hearth_database_refused_total{databases="project",reason="time",instance="a"}': "0+12x30" },
    well: { 'hearth_database_refused_total{databases="project",reason="time",instance="a"}': "0+3x30" },
    minute: 20,
    labels: { databases: "project", reason: "time" },
    says: "Calls are turned away from the project databases: time.",
  },
  HearthQueueAway: {
    wrong: { 'hearth_queue_waiting{instance="b:9090"}': `4x5 ${"NaN ".repeat(10)}` },
    well: { 'hearth_queue_waiting{instance="b:9090"}': "4x5 NaN 900x10" },
    minute: 10,
    labels: { instance: "b:9090" },
    says: "b:9090 cannot reach the queue.",
  },
  HearthQueueBehind: {
    wrong: {
      'hearth_queue_oldest_seconds{instance="b"}': "180x30",
      'hearth_queue_oldest_seconds{instance="c"}': "0x30",
    },
    well: { 'hearth_queue_oldest_seconds{instance="b"}': "180x3 0x30" },
    minute: 10,
    says: "Background work has waited for 3m 0s.",
  },
  HearthReactionsLate: {
    wrong: {
      'hearth_reaction_lag_seconds_bucket{le="30"}': "0x40",
      'hearth_reaction_lag_seconds_bucket{le="120"}': "0+10x40",
      'hearth_reaction_lag_seconds_bucket{le="+Inf"}': "0+10x40",
    },
    well: {
      'hearth_reaction_lag_seconds_bucket{le="1"}': "0+10x40",
      'hearth_reaction_lag_seconds_bucket{le="120"}': "0+10x40",
      'hearth_reaction_lag_seconds_bucket{le="+Inf"}': "0+10x40",
    },
    minute: 30,
    says: "Streaks, XP and the rest follow their events after 1m 55s.",
  },
  HearthNoWorker: {
    // There is none, so that nobody counts what was handled.
    wrong: arriving,
    well: { ...arriving, hearth_events_reacted_total: "0+50x30" },
    minute: 25,
    says: "Events arrive, and nobody handles them.",
  },
  HearthDeadLetters: {
    wrong: { 'hearth_dead_letters_total{reaction="xp",status="dead"}': "_x19 1x20" },
    well: {
      'hearth_dead_letters_total{reaction="xp",status="dead"}': "1x40",
      'hearth_dead_letters_total{reaction="xp",status="waiting"}': "0+5x40",
    },
    minute: 21,
    labels: { reaction: "xp" },
    says: "xp has given up events.",
  },
  HearthProjectPaused: {
    wrong: { 'hearth_project_pauses_total{reaction="streaks"}': "_x19 1x20" },
    well: { 'hearth_project_pauses_total{reaction="streaks"}': "3x40" },
    minute: 21,
    labels: { reaction: "streaks" },
    says: "streaks fails for so many events of a project that it waits.",
  },
  HearthSchemasBehind: {
    wrong: { 'hearth_project_databases{schema="failing",instance="a"}': "2x30" },
    well: { 'hearth_project_databases{schema="current",instance="a"}': "9x30" },
    minute: 15,
    labels: { schema: "failing" },
    says: "2 databases of projects do not have the present schema: failing.",
  },
  HearthClockWrong: {
    wrong: { 'hearth_clock_ahead_seconds{instance="a:8080"}': "-90x30" },
    well: { 'hearth_clock_ahead_seconds{instance="a:8080"}': "-5x30" },
    minute: 5,
    labels: { instance: "a:8080" },
    says: "The clocks of a:8080 and PostgreSQL differ by 1m 30s.",
  },
  HearthNeedsAttention: {
    wrong: { 'hearth_signals_total{name="job_failed",instance="b"}': "0x10 2x5 4x5 6x30" },
    well: {
      'hearth_signals_total{name="job_failed",instance="b"}': "0x10 1x30",
      'hearth_signals_total{name="event_set_aside",instance="b"}': "0+9x40",
    },
    minute: 25,
    labels: { name: "job_failed" },
    says: "job_failed happens again and again.",
  },
}
