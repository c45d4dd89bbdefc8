import type { RandomSource } from './random-source.ts'

const firstWords = [
  'Alpine',
  'Amber',
  'Atlas',
  'Aurora',
  'Birch',
  'Blue',
  'Bright',
  'Cedar',
  'Cobalt',
  'Copper',
  'Coral',
  'Delta',
]
const secondWords = [
  'Harbor',
  'Field',
  'Works',
  'Foods',
  'Logistics',
  'Health',
  'Energy',
  'Robotics',
  'Media',
  'Capital',
  'Travel',
  'Studio',
]
const thirdWords = [
  'Ember',
  'Fjord',
  'Granite',
  'Harvest',
  'Indigo',
  'Juniper',
  'Keystone',
  'Lumen',
  'Maple',
  'Nova',
  'Onyx',
  'Polar',
]
const companyForms = ['Ltd', 'GmbH', 'Inc.', 'AB', 'S.A.', 'Co.', '']
/** Long names, and names in other scripts. */
const unusualNames = [
  'Müller & Söhne Maschinenbau GmbH & Co. KG',
  '株式会社さくら',
  'Śródmieście Café',
  'Łódź Data',
  'The Very Long Name Of A Company That Nobody Ever Writes Out In Full, Limited',
  '🚀 Rocket',
]

type DemoSubscriber = { subscriber_id: string; name?: string }

/** A customer by number; a few have no name or an unusual one. */
export function subscriberOf(number: number, random: RandomSource): DemoSubscriber {
  const subscriber_id = `cus_${String(1000 + number)}`
  const rare = number % 97 === 5 ? unusualNames[Math.floor(number / 97) % unusualNames.length] : undefined
  if (rare !== undefined) return { subscriber_id, name: rare }
  if (number % 41 === 7) return { subscriber_id }
  const words = [random.pick([...firstWords, ...thirdWords]), random.pick(secondWords), random.pick(companyForms)]
  return { subscriber_id, name: words.filter((word) => word !== '').join(' ') }
}
