// What next: the page after a record has been created: the confirmation, the next steps, and links to go on. Only what this user
// may do is offered.
import type { Endpoint } from '#contract/endpoint.ts'
import { Link, LinkButton } from '#web/kit/navigation/link.tsx'
import { mayCall } from '#web/session/may.ts'
import { Icon, type IconName } from '#web/ui/icons.tsx'
import { PageHeader } from '#web/ui/page.tsx'
import { Notice, Skeleton } from '#web/ui/state.tsx'
import styles from './what-next.module.css'

export interface NextStep {
  icon: IconName
  title: string
  text: string
  href: string
  /** The step is offered to users who may make this call. */
  call: Endpoint
}

/** The step that comes first, and the ways to do it. */
export interface FirstStep {
  title: string
  text: string
  ways: { title: string; href: string }[]
  call: Endpoint
}

export interface WhatNextProps {
  /** The record's name; undefined while it loads. */
  title: string | undefined
  list: { title: string; href: string; all: string }
  another: { href: string; call: Endpoint }
  /** The confirmation; undefined while the record loads. */
  said: string | undefined
  begin?: FirstStep | false | undefined
  next: readonly NextStep[]
  open: { title: string; href: string }
}

export function WhatNext({ title, list, another, said, begin, next, open }: WhatNextProps) {
  const offered = next.filter(({ call }) => mayCall(call))
  return (
    <>
      <PageHeader
        above={<Link href={list.href}>{list.title}</Link>}
        title={title}
        actions={
          <>
            <LinkButton href={list.href}>{list.all}</LinkButton>
            {mayCall(another.call) && <LinkButton href={another.href}>Add another</LinkButton>}
            <LinkButton kind="primary" href={open.href}>
              {open.title}
            </LinkButton>
          </>
        }
      />
      {title === undefined ? (
        // What stands here depends on the record: nothing may move under the pointer once it is there.
        <Skeleton height={240} label="Loading" />
      ) : (
        <div className={styles.made}>
          {said && <Notice tone="success">{said}</Notice>}
          {begin && mayCall(begin.call) && (
            <section className={styles.begin} aria-label={begin.title}>
              <h2>{begin.title}</h2>
              <p>{begin.text}</p>
              <ul>
                {begin.ways.map(({ title: way, href }) => (
                  <li key={way}>
                    <LinkButton href={href}>{way}</LinkButton>
                  </li>
                ))}
              </ul>
            </section>
          )}
          {offered.length > 0 && (
            <>
              <h2>What next?</h2>
              <ul className={styles.next}>
                {offered.map((step) => (
                  <li key={step.title}>
                    <Link href={step.href} className={styles.card}>
                      <Icon name={step.icon} />
                      <span>
                        <strong>{step.title}</strong>
                        {step.text}
                      </span>
                      <Icon name="forward" size={16} />
                    </Link>
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
      )}
    </>
  )
}
