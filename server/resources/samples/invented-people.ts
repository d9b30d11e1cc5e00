// Invented people: the guests of samples and of the demo: combinations of common names, always the same ones in the same order.

const words = (text: string) => text.trim().split(/\s+/)

const first = words(`
  Oliver Amelia George Isla Arthur Ava Noah Mia Muhammad Ivy Leo Lily Oscar Freya Harry Florence Archie Willow
  Jack Rosie Henry Sophia Charlie Isabella Freddie Grace Theodore Daisy Alfie Evie Thomas Aisha William Poppy
  Joshua Ella Adam Maya Daniel Zara Samuel Chloe Ethan Hannah Joseph Nia Max Erin Rhys Megan Callum Eilidh Angus
  Catriona Finlay Niamh Sean Aoife Mateusz Zofia Piotr Kasia Arjun Ananya Rohan Priya Wei Mei Haruto Yuki Luca
  Giulia Pablo Lucia Hugo Camille Jonas Lena Emeka Chidinma Kwame Abena Farah Yusuf Leila Omar Ines Tiago Sofia
  Björn Astrid Élodie
`)
const last = words(`
  Smith Jones Taylor Brown Williams Wilson Johnson Davies Patel Wright Evans Thompson Walker White Roberts Green
  Hall Wood Harris Clarke Khan Lewis Jackson Begum Ahmed Turner Hill Scott Cooper Morris Ward Moore King Watson
  Baker Harrison Morgan Allen Ali James Hughes Mitchell Phillips Bennett Parker Cook Shah Bailey Bell Murphy
  O'Brien Kelly Ryan Campbell Stewart MacDonald Robertson Fraser Sinclair Griffiths Pritchard Llewellyn Rees Kaur
  Singh Sharma Iyer Nowak Kowalski Wiśniewska Rossi Bianchi García Fernández Dubois Laurent Müller Schneider
  Okafor Adeyemi Mensah Owusu Chen Wang Tanaka Sato Nguyen Tran Silva Santos Larsen Lindqvist Novák Horvat Popescu
  Yilmaz Demir Haddad
`)

/** `count` different names. The two strides are coprime to the lists' lengths, so pairs hardly repeat. */
export function inventedPeople(count: number): string[] {
  const names = new Set<string>()
  for (let step = 0; names.size < count; step++)
    names.add(
      `${first[(step * 37) % first.length]} ${last[(step * 53 + Math.floor(step / last.length)) % last.length]}`,
    )
  return [...names]
}
