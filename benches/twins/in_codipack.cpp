// The twins with CoDiPack's tapes: started by `benches/twins/main.rs` with the folder of inputs, and asked line by line.
//
//   load NAME   reads a kernel's arrays; answers value and gradient, a line for each of two tapes
//   function    seconds of a call, the mean of some milliseconds
//   gradient    the same for value and gradient, by the quicker of the two tapes

#include "kernels.hpp"

#include <chrono>
#include <codi.hpp>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <string>

using Call = std::function<void()>;

double seconds(const Call& call) {
    using Clock = std::chrono::steady_clock;
    const auto since = [](Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); };
    const auto start = Clock::now();
    call();
    const int calls = std::max(1.0, std::min(1e6, 2e-3 / since(start)));
    const auto again = Clock::now();
    for (int k = 0; k < calls; k++) call();
    return since(again) / calls;
}

// What was loaded.
struct Twin {
    double value = 0.0;
    Array gradient;
    Call function;
    std::vector<Call> gradients;
};

template <class Real, class F> Call taped(const F& f, const Array& x, Twin& twin) {
    return [f, &twin, v = std::vector<Real>(x.begin(), x.end())]() mutable {
        auto& tape = Real::getTape();
        tape.reset();
        tape.setActive();
        for (Real& each : v) tape.registerInput(each);
        Real y = f(v);
        tape.registerOutput(y);
        tape.setPassive();
        y.setGradient(1.0);
        tape.evaluate();
        twin.value = y.getValue();
        for (std::size_t k = 0; k < v.size(); k++) twin.gradient[k] = v[k].getGradient();
    };
}

template <class F> void load(const Arrays& in, Twin& twin) {
    const F f(in);
    const Array& x = in[0];
    twin.gradient.assign(x.size(), 0.0);
    twin.function = [f, x, &twin] { twin.value = f(x); };
    twin.gradients = {taped<codi::RealReverse>(f, x, twin), taped<codi::RealReverseIndex>(f, x, twin)};
}

const std::map<std::string, void (*)(const Arrays&, Twin&)> kernels = {
    {"conjugate_gradients", load<ConjugateGradients>}, {"marginal_likelihood", load<MarginalLikelihood>},
    {"cholesky", load<Cholesky>}, {"heat", load<Heat>}, {"gray_scott", load<GrayScott>}, {"burgers", load<Burgers>},
    {"waves", load<Waves>}, {"fisher", load<Fisher>}, {"lennard_jones", load<LennardJones>},
    {"finite_elements", load<FiniteElements>}, {"stars", load<Stars>}, {"robot_arm", load<RobotArm>},
    {"heston", load<Heston>}, {"american_put", load<AmericanPut>}, {"portfolio", load<Portfolio>},
    {"logistic", load<Logistic>}, {"factorization", load<Factorization>}, {"time_warping", load<TimeWarping>},
    {"layers", load<Layers>}, {"epidemic", load<Epidemic>},
};

Arrays read(const std::string& path) {
    std::ifstream file(path);
    Arrays arrays;
    for (std::string line; std::getline(file, line);) {
        arrays.emplace_back();
        std::istringstream numbers(line);
        for (double number; numbers >> number;) arrays.back().push_back(number);
    }
    return arrays;
}

int main(int, char** arguments) {
    Twin twin;
    for (std::string line; std::getline(std::cin, line);) {
        if (line == "function") {
            std::printf("%.17g\n", seconds(twin.function));
        } else if (line == "gradient") {
            std::printf("%.17g\n", std::min(seconds(twin.gradients[0]), seconds(twin.gradients[1])));
        } else {
            const std::string name = line.substr(line.find(' ') + 1);
            kernels.at(name)(read(std::string(arguments[1]) + "/" + name), twin);
            for (const Call& gradient : twin.gradients) {
                gradient();
                std::printf("%.17g", twin.value);
                for (double g : twin.gradient) std::printf(" %.17g", g);
                std::printf("\n");
            }
        }
        std::fflush(stdout);
    }
}
