// Test voucher: a dialog with an address, `?modal=test-voucher`. Designed for a queue: scan or type, Enter, read the badge; the
// next scan overwrites the last. Testing never uses a voucher up.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { code_length, deactivate, normalised, shown, TypedCode } from '#contract/vouchers.ts'
import * as batches from '#contract/voucher-batches.ts'
import { call } from '#web/kit/call/call.ts'
import { keys } from '#web/kit/call/query-client.ts'
import { useTypedState } from '#web/kit/form/typed.ts'
import { useMayCall } from '#web/session/may.ts'
import { Button } from '#web/ui/button.tsx'
import { CodeField } from '#web/ui/code-field.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Icon } from '#web/ui/icons.tsx'
import { Notice, Skeleton } from '#web/ui/state.tsx'
import { Verdict } from '#web/ui/verdict.tsx'
import { say } from '#web/words/desk.ts'
import { inLanguage } from '#web/words/fixed.ts'
import { useCheck, type Check, type VoucherFacts } from './check.ts'
import { Facts } from './facts.tsx'
import { giveAgain, takeBack } from './take-back.ts'
import styles from './test-voucher.module.css'

export interface TestVoucherProps {
  /** Only codes of this batch are valid; `id` if the screen below does not use it (specification, modal screens). */
  batch_id?: number
  id?: number
  close: () => void
}

/** Longer than any code, as a scanner types the whole address on a slip. */
const typed_max = 300
const format = (typed: string) => shown(normalised(typed).slice(0, typed_max))
const problemOf = (code: string) => TypedCode.safeParse(code).error?.issues[0]?.message

export function TestVoucher({ batch_id, id, close }: TestVoucherProps) {
  const addressed = batch_id ?? id
  const batch = useBatch(addressed)
  const [code, setCode] = useTypedState('code', '')
  const [touched, setTouched] = useState(false)
  const { check, ask, reset } = useCheck(batch.missing ? undefined : addressed)
  const input = useRef<HTMLInputElement>(null)
  const problem = problemOf(code)

  // Once the answer is shown, selects the code, so that the next scan overwrites it.
  const answered = check.state === 'valid' || check.state === 'invalid'
  useEffect(() => {
    if (!answered) return
    input.current?.focus()
    input.current?.select()
  }, [answered, check])

  const submit = () => {
    setTouched(true)
    if (problem) return
    void ask(code)
    // A scanner does not wait for the answer.
    input.current?.select()
  }
  useScansFromAnywhere(input)
  return (
    <Dialog open onClose={close} title={say('test.title')} width={480}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <form
        className={styles.form}
        noValidate
        // While the button is disabled, Enter does not submit the form, but should still show the error.
        onKeyDown={(event) => event.key === 'Enter' && setTouched(true)}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        {addressed !== undefined && <OfBatch {...batch} />}
        <div className={styles.line}>
          <CodeField
            ref={input}
            label={say('test.code')}
            name="code"
            placeholder="ABCD-EFGH-JKMN"
            value={code}
            format={format}
            onChange={(next) => {
              setCode(next)
              reset()
            }}
            onBlur={() => setTouched(true)}
            error={touched && check.state === 'unchecked' ? problem && inLanguage(problem) : undefined}
          />
          <Button kind="primary" submit disabled={problem !== undefined} busy={check.state === 'checking'}>
            {say('test.test')}
          </Button>
        </div>
      </form>
      <Answer check={check} />
      {'facts' in check && check.facts && <TakingBack facts={check.facts} onDone={() => void ask(check.code)} />}
    </Dialog>
  )
}

/** Scanners type wherever the focus is: the first symbol moves it to the field and overwrites the field's content. */
function useScansFromAnywhere(input: RefObject<HTMLInputElement | null>) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const symbol = /^[\p{L}\p{N}]$/u.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey
      if (!symbol || event.target === input.current) return
      input.current?.focus()
      input.current?.select()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [input])
}

interface BatchNamed {
  number: string | undefined
  missing: boolean
}

function useBatch(id: number | undefined): BatchNamed {
  const { data, isError } = useQuery({
    queryKey: keys.one(batches.get.path, id ?? 0),
    queryFn: ({ signal }) => call(batches.get, { id: id ?? 0 }, { signal }),
    enabled: id !== undefined,
  })
  return { number: data?.batch_number, missing: isError }
}

/** A batch that does not exist or is out of reach does not prevent testing. */
const OfBatch = ({ number, missing }: BatchNamed) =>
  missing ? (
    <Notice>{say('test.batch-missing')}</Notice>
  ) : (
    <p className={styles.of}>{number === undefined ? <Skeleton width={160} /> : say('test.batch-only', { number })}</p>
  )

/** Takes back the voucher that was just tested, or gives it again. */
function TakingBack({ facts, onDone }: { facts: VoucherFacts; onDone: () => void }) {
  const mayTake = useMayCall(deactivate)
  if (!mayTake) return null
  const isTaken = facts.taken_back_at !== null
  const toggle = async () => {
    if (await (isTaken ? giveAgain(facts) : takeBack(facts))) onDone()
  }
  return (
    <div className={styles.after}>
      <Button icon={isTaken ? 'activate' : 'disable'} onClick={() => void toggle()}>
        {say(isTaken ? 'test.give-again' : 'test.take-back')}
      </Button>
    </div>
  )
}

/** Announced by screen readers when it arrives. */
const Answer = ({ check }: { check: Check }) => {
  const answered = check.state === 'valid' || check.state === 'invalid'
  return (
    <div className={styles.answer} aria-live="polite" data-state={check.state}>
      {answered ? (
        <Verdict good={check.state === 'valid'} word={say(`test.${check.state}`)}>
          {check.reason}
        </Verdict>
      ) : (
        <p className={styles.idle}>
          <Icon name="vouchers" />
          {check.state === 'checking' ? say('test.looking') : say('test.scan', { length: code_length })}
        </p>
      )}
      <Facts facts={answered ? check.facts : undefined} />
    </div>
  )
}
