import {
  type DefaultError,
  type InfiniteData,
  InfiniteQueryObserver,
  type InfiniteQueryObserverOptions,
  type InfiniteQueryObserverResult,
  notifyManager,
  type QueryKey,
  QueryObserver,
  type QueryObserverOptions,
  type QueryObserverResult,
  useQueryClient,
} from "@tanstack/solid-query"
import { createComputed, createMemo, on, onCleanup } from "solid-js"
import { createStore } from "solid-js/store"

interface Observer<Options, Result> {
  setOptions(options: Options): void
  getCurrentResult(): Result
  subscribe(listener: () => void): () => void
}

/** What an observer sees, from now until the part of the page that asks is gone. What has not changed stays the same object. */
const follow = <Options, Result extends object>(
  options: () => Options,
  observe: (options: Options) => Observer<Options, Result>,
): Result => {
  const given = createMemo(options)
  const observer = observe(given())
  const [result, setResult] = createStore<Result>({ ...observer.getCurrentResult() })
  const look = () => setResult(observer.getCurrentResult())
  // Others may be in the middle of being made when an observer of the same begins to ask.
  onCleanup(observer.subscribe(notifyManager.batchCalls(look)))
  look()
  createComputed(
    on(
      given,
      (now) => {
        observer.setOptions(now)
        look()
      },
      { defer: true },
    ),
  )
  return result
}

/**
 * What the service answers. Nothing waits for it: until it is there, `data` is undefined, and only who reads that shows less.
 * `createQuery` of the library makes a resource of it. Reading one takes the whole page out of the document until the answer is there,
 * with the focus and with letters that are typed meanwhile; and an answer that comes just when the options change is lost, so that
 * the page never comes back.
 */
export const createQuery = <Found, Data = Found, Key extends QueryKey = QueryKey>(
  options: () => QueryObserverOptions<Found, DefaultError, Data, Found, Key>,
): QueryObserverResult<Data> => {
  const client = useQueryClient()
  return follow(options, (given) => new QueryObserver(client, given))
}

/** The same, of a list that is read page by page. */
export const createInfiniteQuery = <Found, Key extends QueryKey = QueryKey, Cursor = unknown>(
  options: () => InfiniteQueryObserverOptions<Found, DefaultError, InfiniteData<Found, Cursor>, Key, Cursor>,
): InfiniteQueryObserverResult<InfiniteData<Found, Cursor>> => {
  const client = useQueryClient()
  return follow(options, (given) => new InfiniteQueryObserver(client, given))
}
