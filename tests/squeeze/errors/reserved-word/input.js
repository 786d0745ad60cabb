const { of } = {};
