const one = () => {
}
const two = 2;
