// Webhook secret: shown once, to be copied to where the events are received.
import { Copyable } from '#web/kit/made/copyable.tsx'

export const SecretValue = ({ secret }: { secret: string }) => <Copyable what="secret">{secret}</Copyable>
