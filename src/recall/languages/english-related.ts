import { related } from './language-pack.ts'

/**
 * Words that people ask with, and words that they told it in. `a = b c` means one another; after `a: b c` somebody who asks for `a`
 * may mean `b` and `c`, but not the other way round. Only words of everyday life, and only those that rarely mean anything else.
 */
export const englishRelated: ReadonlyMap<string, readonly string[]> = related(`
boss = manager supervisor
job = profession occupation career employer
job: nurse teacher engineer developer designer lawyer doctor accountant freelancer
job: shift radiographer plumber electrician pharmacist pilot chef architect carpenter mechanic
colleague = coworker teammate
salary = wage paycheck
company = employer firm
mum = mom mother
dad = father
parent: mum mom mother dad father
kid = child
kid: son daughter
sibling: brother sister
son: baby boy
daughter: baby girl
spouse = husband wife
partner: husband wife girlfriend boyfriend fiance fiancee spouse
grandparent: grandmother grandfather grandma grandpa
grandma = grandmother granny
grandpa = grandfather
relative: mother father brother sister aunt uncle cousin niece nephew grandmother grandfather
pet: cat dog puppy kitten hamster rabbit parrot goldfish turtle guinea
animal: cat dog horse hamster rabbit
dog = puppy
dog: greyhound beagle labrador poodle terrier spaniel collie retriever bulldog dachshund husky pug corgi chihuahua rottweiler dalmatian
pet: adopted greyhound beagle labrador poodle terrier spaniel collie retriever bulldog dachshund husky pug corgi budgie tortoise
cat = kitten
car = automobile
car: toyota honda ford bmw audi volkswagen vw volvo tesla nissan mazda hyundai kia renault peugeot skoda fiat subaru mercedes corolla civic golf prius suv
vehicle: car bike motorcycle truck van scooter toyota honda ford bmw audi volkswagen volvo tesla nissan
bike = bicycle
bike: cycling
motorbike = motorcycle
phone: iphone android samsung pixel smartphone
phone = telephone mobile cellphone
computer: laptop macbook desktop thinkpad pc
laptop: macbook thinkpad notebook
camera: sony canon nikon fujifilm leica
sport: run running jog jogging swim swimming tennis football soccer basketball cycling climbing yoga gym golf volleyball hiking badminton skiing boxing rowing
exercise = workout
exercise: run running jog jogging swim swimming gym yoga pilates cycling
hobby: photography painting gardening knitting chess hiking cycling climbing pottery reading guitar piano woodworking baking fishing sailing
instrument: guitar piano violin drums cello flute saxophone bass ukulele trumpet
holiday = vacation
holiday: trip travel travelling
vacation: trip travel travelling
trip = journey travel
flight: fly flying plane
fly: flight plane
airline: flight plane
hotel: airbnb hostel
concert = gig
concert: band festival
music: band singer album song guitar piano
film = movie cinema
show = series
book = novel
book: author
author = writer
game: chess playstation xbox nintendo
flat = apartment
house = home
roommate = flatmate
rent = lease
city: london paris berlin lisbon madrid rome vienna tokyo boston chicago seattle york amsterdam porto dublin munich hamburg zurich barcelona
country: germany france spain italy portugal england canada japan india china brazil mexico austria switzerland netherlands ireland poland
birthday = birth
birthday: born
birthday: turns
old: born birthday age
doctor = physician
doctor: dentist gp cardiologist dermatologist
dentist: tooth teeth
illness = disease sickness
ill = sick unwell
medicine = medication
medicine: pill tablet ibuprofen insulin antibiotic aspirin
medication: pill tablet ibuprofen insulin antibiotic aspirin
eat: allergic vegetarian vegan
food: allergic vegetarian vegan pizza pasta sushi
diet: vegetarian vegan
dish: pizza pasta sushi curry lasagna
meal: breakfast lunch dinner
dinner = supper
drink: coffee tea wine beer
restaurant = bistro
university = college uni
study: degree university college
degree: bachelor master phd
school: kindergarten
major: studied
exam = test
wedding = marriage
wedding: married
married: husband wife wedding
call = phone ring
buy = purchase
buy: ordered
shop = store
cost = price
cost: paid euros dollars pounds
price: euros dollars pounds
money: budget euros dollars pounds savings
bill = invoice
payment: paid
unpaid = outstanding open
begin = start
finish = end
fix = repair
broken: failed crashed
error = failure
error: failed crashed
problem = issue
problem: failed error broken
wrong: failed error broken
bug = issue
deploy = release
deployment: rollout
database: postgres postgresql mysql sqlite mongo mongodb redis oracle
language: english german french spanish portuguese italian japanese chinese typescript javascript python rust java
framework: react vue angular svelte nextjs django rails express
editor: vscode vim neovim emacs cursor zed
server: host
address: street avenue
address: live
meeting = appointment
appointment: dentist doctor
deadline = due
format: bullet markdown table
reply = answer respond
colour = color
color: red blue green yellow black white purple orange pink grey gray
colour: red blue green yellow black white purple orange pink grey gray
favourite = favorite
afraid = scared fear
angry = mad
happy = glad
sad = unhappy
quit = resign
quit: left
hire = recruit
move = relocate
present = gift
garden = yard
lorry = truck
autumn = fall
insurance = coverage
nickname: called
religion: christian muslim jewish hindu buddhist catholic
client = customer
fitness: gym workout training running yoga
gym = fitness
plane: flight fly flying airport
airport: flight
train: railway station
race: marathon triathlon tournament
marathon = race
prepare: train training
pay: cost paid price euros dollars
therapist = psychologist psychiatrist counsellor counselor
wireless = wifi
internet: wifi router broadband
credential: password key token secret
password = passcode
medicine: mg dose prescription
medication: mg dose prescription
prescription: mg dose pill tablet
health: sick ill doctor diabetes asthma allergy
condition: diabetes asthma epilepsy migraine
allergy: allergic
allergic = allergy
intolerance: intolerant lactose gluten
nut: peanut almond cashew walnut
fruit: apple banana mango strawberry orange grape
vegetable: carrot broccoli spinach tomato potato
meat: beef pork chicken lamb steak
fish: salmon tuna cod
dessert: cake chocolate cookie tiramisu
cuisine: italian japanese mexican indian thai chinese french
beverage: coffee tea wine beer juice
alcohol: wine beer whisky gin
smoke: cigarette smoking
weight: kg kilos pounds
height: cm tall
clothes: shirt jacket dress shoes jeans
shoes: sneakers boots
jewellery: ring necklace bracelet
landlord: rent
owner = landlord
neighbour = neighbor
neighbourhood = neighborhood district
street = road
furniture: sofa table chair desk bed
kitchen: sink oven fridge
tool: hammer drill
subscription: netflix spotify membership
bank: account iban mortgage loan
loan = mortgage credit
debt: loan mortgage
tax: taxes
savings: save saved
insurance: insured policy
passport: visa
document: passport contract
contract = agreement
lawyer = attorney
police: officer
accident = crash
weather: rain snow sunny
season: spring summer autumn winter
friend = buddy pal
friend: mate
girlfriend = partner
ex: divorced divorce
divorce = separation
baby = newborn
baby: pregnant
pregnant: baby due
nephew: sister brother twins
niece: sister brother twins
twin: twins
funeral: died passed
dead = died
die: died passed
church: mass pray
vote: election party
politics: election party vote
volunteer: charity
charity: donate volunteer
teacher = professor tutor
student: university college school
class = course lesson
course: lesson university
homework = assignment
thesis = dissertation
graduate: graduated degree
grade: mark score
skill: learned learning
certificate = certification
interview: applied application
promotion: promoted
office = workplace
team: colleague squad
project: launch milestone
task = todo
meeting: call zoom sync standup
schedule = timetable calendar agenda
report = summary
presentation = slides deck talk
conference: talk keynote
email = mail
message: text whatsapp sms
website = site homepage
app = application
code: indent tabs spaces repo repository
repository = repo
repo: github gitlab
branch: main master
test: vitest jest pytest
testing: vitest jest pytest
ci: buildkite jenkins github gitlab circleci
cloud: aws azure gcp
hosting: aws azure gcp vercel netlify
os: linux windows macos ubuntu fedora debian
system: linux windows macos ubuntu
browser: chrome firefox safari edge brave
programming: typescript javascript python rust java golang
package: npm pnpm yarn
logging: log logs
cache: redis memcached
queue: kafka rabbitmq sqs
deploy: deployed deployment rollout kubernetes docker
outage = downtime incident
incident: outage crashed down
timeout: slow
endpoint = url
port: listen
version: release
indent: tabs spaces
style: tabs spaces
important = biggest
big = large
small = little
fast = quick
expensive: cost euros dollars
cheap: cost euros dollars
often: every daily weekly monthly
daily: every
own: bought have
live: moved apartment flat house
born: birthplace
hometown: born grew
childhood: grew
raise: grew
accent: language
speak: fluent language
fluent: speak
write: wrote author
read: book novel
watch: film movie series
listen: music podcast
play: guitar piano tennis football chess
cook: recipe
bake: cake bread sourdough
recipe: cook bake
plant: garden tomato flowers
paint: painting
dislike = hate
hate: disgusting
like = love enjoy
love: favourite favorite
prefer = favourite favorite
want: wish
wish: want hope
plan: planning goal
goal = aim target
dream: hope wish
worry: worried anxious
anxious = nervous worried
stress = pressure
tired = exhausted
sleep: insomnia bed
wake: morning alarm
lose = lost
miss: missed
break: broke broken
stop = quit
steal: stolen
win: won
visit: went trip
stay: hotel airbnb
travel: trip flight holiday vacation
destination: trip flight
luggage = baggage suitcase
seat: aisle window
currency: euros dollars pounds yen
road: street
park: garden
parking: garage
beach: sea
mountain: hiking skiing
museum: exhibition
festival: concert
club: member
member = membership
team: club
star: famous
singer = musician
actor = actress
director: film
painter = artist
artist: painter band singer
garbage = trash rubbish waste
bin: trash rubbish garbage
painkiller: ibuprofen paracetamol aspirin
herb: coriander basil parsley mint dill thyme
maintenance = service servicing
teach: lesson teacher
guest: staying visiting
visit: staying
nationality: german french spanish italian portuguese british american canadian japanese indian chinese brazilian
activity: hiking camping swimming painting pottery running dancing cooking reading yoga gardening cycling fishing skiing surfing hike museum beach
sport: surfing skating baseball hockey cricket rugby surf
country: greece sweden norway denmark australia korea egypt thailand turkey morocco belgium scotland argentina chile peru vietnam
european: germany france spain italy portugal england austria switzerland netherlands ireland poland greece sweden norway denmark belgium
state: florida texas california oregon washington nevada colorado georgia ohio michigan arizona utah hawaii alaska virginia
location: trip visited went london paris rome tokyo
vacation: went holiday
relax: calm unwind therapy
destress: relax calm unwind therapy
volunteer: shelter homeless
writing: story poem script screenplay novel blog article
childhood = child
childhood: kid young
injure = injury hurt
allergy = allergic
recommend = suggest
console: playstation xbox nintendo
`)
