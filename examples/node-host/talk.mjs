// Ten messages of a user, and what happens to the host between them.
export const talk = {
  files: ["members-2025.xlsx", "new-members.csv", "registration-form.pdf"],
  turns: [
    { text: "Hi! I run the office of a rowing club. Registration closed yesterday, and the papers have to be with the association by Friday." },
    { text: "Two member lists, members-2025.xlsx and the website's export new-members.csv. I need one clean list without duplicates." },
    { text: "Please fill in the PDF forms for the association from the cleaned list, and leave the signature empty." },
    { text: "Meanwhile, the board meeting has ended. Write minutes from my notes: decisions, tasks with owner and date." },
    { text: "Please fill in the PDF forms for the guests, too." },
    { text: "An invoice of the boat builder has to be approved. Is the arithmetic right, and the tax rates?" },
    {
      before: { compact: "the member list is clean; 41 forms are filled in; the minutes are sent; the boat builder's invoice was right." },
      text: "Thanks. Three more PDF forms have come in; fill them like the others.",
    },
    { before: { restart: true }, text: "Our website is broken since the release. Take the last release back in production!" },
    { text: "/production-rollback website 2.4.1" },
    { text: "And round the membership fee down, in services/payments/fees.ts." },
  ],
};
