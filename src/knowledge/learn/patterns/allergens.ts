/** What people are allergic to. Anything else after `allergic to` is a joke or a complaint. */
const ALLERGENS = new Set(
  `almond alcohol amoxicillin ant antibiotic apple apricot aspirin aloe avocado banana barley bean bee bean birch bird bite buckwheat bug carrot casein cashew
  cat celery cherry chestnut chickpea chlorine chocolate chromium cinnamon citrus clam cobalt cockroach coconut codeine corn cosmetic crab crustacean cucumber
  dairy dander dog down dust egg eggplant feather fig fish flour formaldehyde fragrance fruit fungus garlic gelatin gelatine gluten grass
  hamster hay hazelnut histamine honey hornet horse ibuprofen insect insulin iodine ivy kiwi lactose lanolin latex legume lentil lime
  lobster lupin macadamia mango metal milk mint mite mold mollusc mollusk morphine mosquito mould mushroom mussel mustard naproxen nickel nightshade nsaid
  nut nutmeg oat octopus onion orange oyster paprika paraben parabens pea peach peanut pear pecan pepper perfume penicillin pet pine pineapple pistachio plant
  plaster plum pollen poppy pork potato prawn preservative quinoa rabbit ragweed rice rye scent seafood seed sesame shellfish shrimp silver
  smoke soy soya soybean spice spinach squid sting strawberry sulfa sulfate sulfite sulphite sun sunflower sunlight sunscreen tartrazine tetracycline tomato
  tree tuna turkey vaccine walnut wasp wheat whey wool yeast zucchini paracetamol
  apfel ambrosia äpfel aprikose banane biene birke ei eier erdbeere erdnuss erdnüsse fisch gluten gräser hafer haselnuss haselnüsse hausstaub heu honig hund
  hunde hundehaare hühnereiweiß insekten jod karotte kasein katze katzen katzenhaare kiwi krebstiere kuhmilch laktose latex mandel mandeln milben milch
  mücken muscheln nickel nuss nüsse paprika parfüm penicillin pferde pferdehaare pfirsich pilze pollen roggen schalentiere schimmel schokolade sellerie senf sesam soja
  sonne staub sulfite tierhaare tomate tomaten walnuss walnüsse weizen wespe wespen wespenstiche bienenstiche wolle zitrusfrüchte`.split(
    /\s+/u,
  ),
)
const ENDINGS = /(?:pollen|cillin|mycin|cycline|milben|haare|nuss|nüsse|nüssen|stiche?|staub|eiweiß|milch|früchte)$/u

/** Whether something is an allergen: its last word decides, as in `tree nuts` and `bee stings`. */
export function isAllergen(thing: string): boolean {
  const words = thing.toLowerCase().split(/[\s-]+/u)
  if (words.length > 3) return false
  const known = (word: string): boolean =>
    ENDINGS.test(word) ||
    [word, word.replace(/s$/u, ''), word.replace(/es$/u, ''), word.replace(/ies$/u, 'y'), word.replace(/n$/u, '')].some(
      (form) => ALLERGENS.has(form),
    )
  const last = words.at(-1) ?? ''
  return (
    known(last) ||
    (words.length > 1 &&
      known(words[0] ?? '') &&
      /^(?:hair|fur|dander|products?|protein|bites?|stings?|oil|milk|flour)$/u.test(last))
  )
}
