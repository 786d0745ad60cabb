const key = { class: 1 };
class Page {
}
