// SPDX-License-Identifier: MIT
// SIMD vectors in portable C++: N numbers with elementwise arithmetic.
//
// Four doubles or eight floats fill one AVX2 register, or two of the baseline. A kernel is written once, in a header,
// and compiled by two small sources: one for the baseline, and one named *_avx2.cpp that CMake compiles for AVX2 and
// that is called if the processor has it (vector/processor.h). Such a header includes only this one and <c...>
// headers, and its own functions are in LIMBER_KERNEL_NAMESPACE, so that the linker cannot replace baseline code by
// code compiled for AVX2. Multiplications and additions are not fused, so both give the same bits.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <type_traits>

#if defined(__GNUC__) || defined(__clang__)
#define LIMBER_INLINE inline __attribute__((always_inline))
#define LIMBER_INLINE_CALL __attribute__((always_inline))  // of a lambda
#else
#define LIMBER_INLINE inline
#define LIMBER_INLINE_CALL
#endif

#ifdef LIMBER_AVX2
#define LIMBER_KERNEL_NAMESPACE avx2
#else
#define LIMBER_KERNEL_NAMESPACE baseline
#endif

namespace limber::LIMBER_KERNEL_NAMESPACE {

#ifdef __AVX2__
inline constexpr int kRegisterBytes = 32;
#else
inline constexpr int kRegisterBytes = 16;
#endif

/// N lanes of T (float or double), N a power of two. A vector wider than a register is made of two halves, because
/// compilers generate poor code for vectors wider than the machine's.
template <class T, int N, bool isWide = (N * static_cast<int>(sizeof(T)) > kRegisterBytes)>
struct Lanes {
  using Mask = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
#if defined(__GNUC__) || defined(__clang__)
  typedef T Vector __attribute__((vector_size(sizeof(T) * N)));
  typedef Mask MaskVector __attribute__((vector_size(sizeof(T) * N)));
  Vector v;

  static LIMBER_INLINE Lanes all(T value) { return {value - Vector{}}; }
  /// One argument for each lane.
  template <class... A>
  static LIMBER_INLINE Lanes of(A... values) {
    return {Vector{values...}};
  }
  friend LIMBER_INLINE Lanes operator+(Lanes a, Lanes b) { return {a.v + b.v}; }
  friend LIMBER_INLINE Lanes operator-(Lanes a, Lanes b) { return {a.v - b.v}; }
  friend LIMBER_INLINE Lanes operator*(Lanes a, Lanes b) { return {a.v * b.v}; }
  friend LIMBER_INLINE Lanes operator/(Lanes a, Lanes b) { return {a.v / b.v}; }
  friend LIMBER_INLINE Lanes operator-(Lanes a) { return {-a.v}; }
  /// Masks have -1 where a comparison holds, else 0.
  friend LIMBER_INLINE MaskVector operator<(Lanes a, Lanes b) { return a.v < b.v; }
  friend LIMBER_INLINE MaskVector operator<=(Lanes a, Lanes b) { return a.v <= b.v; }
  static LIMBER_INLINE Lanes select(MaskVector mask, Lanes yes, Lanes no) { return {mask ? yes.v : no.v}; }
  friend LIMBER_INLINE Lanes absolute(Lanes a) {
    return {(Vector)((MaskVector)a.v & std::numeric_limits<Mask>::max())};
  }
  /// Adds the quarter turns in the two lowest bits of `count` to the angle.
  static LIMBER_INLINE void turnQuarters(Lanes count, Lanes& sine, Lanes& cosine) {
    constexpr int kBits = 8 * sizeof(T);
    const MaskVector n = (MaskVector)count.v, s = (MaskVector)sine.v, c = (MaskVector)cosine.v;
    const MaskVector odd = n & 1, half = (n & 2) << (kBits - 2), change = ((s ^ c) & -odd) ^ half;
    sine.v = (Vector)(s ^ change);
    cosine.v = (Vector)(c ^ change ^ (odd << (kBits - 1)));
  }
#else
  struct MaskVector {
    Mask m[N];
    Mask operator[](int i) const { return m[i]; }
    friend MaskVector operator&(MaskVector a, MaskVector b) {
      return test([&](int i) { return a.m[i] & b.m[i]; });
    }
  };
  T v[N];

  template <class F>
  static Lanes each(F f) {
    Lanes result;
    for (int i = 0; i < N; ++i) result.v[i] = f(i);
    return result;
  }
  template <class F>
  static MaskVector test(F f) {
    MaskVector result;
    for (int i = 0; i < N; ++i) result.m[i] = f(i) ? Mask(-1) : Mask(0);
    return result;
  }
  static Lanes all(T value) {
    return each([&](int) { return value; });
  }
  template <class... A>
  static Lanes of(A... values) {
    return {{values...}};
  }
  friend Lanes operator+(Lanes a, Lanes b) {
    return each([&](int i) { return a.v[i] + b.v[i]; });
  }
  friend Lanes operator-(Lanes a, Lanes b) {
    return each([&](int i) { return a.v[i] - b.v[i]; });
  }
  friend Lanes operator*(Lanes a, Lanes b) {
    return each([&](int i) { return a.v[i] * b.v[i]; });
  }
  friend Lanes operator/(Lanes a, Lanes b) {
    return each([&](int i) { return a.v[i] / b.v[i]; });
  }
  friend Lanes operator-(Lanes a) {
    return each([&](int i) { return -a.v[i]; });
  }
  friend MaskVector operator<(Lanes a, Lanes b) {
    return test([&](int i) { return a.v[i] < b.v[i]; });
  }
  friend MaskVector operator<=(Lanes a, Lanes b) {
    return test([&](int i) { return a.v[i] <= b.v[i]; });
  }
  static Lanes select(MaskVector mask, Lanes yes, Lanes no) {
    return each([&](int i) { return mask.m[i] ? yes.v[i] : no.v[i]; });
  }
  friend Lanes absolute(Lanes a) {
    return each([&](int i) { return std::abs(a.v[i]); });
  }
  static void turnQuarters(Lanes count, Lanes& sine, Lanes& cosine) {
    for (int i = 0; i < N; ++i) {
      Lanes<T, 1> s{sine.v[i]}, c{cosine.v[i]};
      Lanes<T, 1>::turnQuarters({count.v[i]}, s, c);
      sine.v[i] = s.v;
      cosine.v[i] = c.v;
    }
  }
#endif

  LIMBER_INLINE T operator[](int i) const { return v[i]; }
  LIMBER_INLINE void set(int i, T value) { v[i] = value; }
  LIMBER_INLINE Lanes& operator+=(Lanes b) { return *this = *this + b; }
  LIMBER_INLINE Lanes& operator-=(Lanes b) { return *this = *this - b; }
  LIMBER_INLINE Lanes& operator*=(Lanes b) { return *this = *this * b; }

  /// Loads N numbers from memory of any alignment.
  static LIMBER_INLINE Lanes load(const T* from) {
    Lanes result;
    std::memcpy(&result.v, from, sizeof(result.v));
    return result;
  }
  LIMBER_INLINE void store(T* to) const { std::memcpy(to, &v, sizeof(v)); }
};

template <class T, int N>
struct Lanes<T, N, true> {
  using Half = Lanes<T, N / 2>;
  struct MaskVector {
    typename Half::MaskVector low, high;
    LIMBER_INLINE auto operator[](int i) const { return i < N / 2 ? low[i] : high[i - N / 2]; }
    friend LIMBER_INLINE MaskVector operator&(MaskVector a, MaskVector b) { return {a.low & b.low, a.high & b.high}; }
  };
  Half low, high;

  static LIMBER_INLINE Lanes all(T value) { return {Half::all(value), Half::all(value)}; }
  template <class... A>
  static LIMBER_INLINE Lanes of(A... values) {
    const T all[] = {values...};
    return load(all);
  }
  friend LIMBER_INLINE Lanes operator+(Lanes a, Lanes b) { return {a.low + b.low, a.high + b.high}; }
  friend LIMBER_INLINE Lanes operator-(Lanes a, Lanes b) { return {a.low - b.low, a.high - b.high}; }
  friend LIMBER_INLINE Lanes operator*(Lanes a, Lanes b) { return {a.low * b.low, a.high * b.high}; }
  friend LIMBER_INLINE Lanes operator/(Lanes a, Lanes b) { return {a.low / b.low, a.high / b.high}; }
  friend LIMBER_INLINE Lanes operator-(Lanes a) { return {-a.low, -a.high}; }
  friend LIMBER_INLINE MaskVector operator<(Lanes a, Lanes b) { return {a.low < b.low, a.high < b.high}; }
  friend LIMBER_INLINE MaskVector operator<=(Lanes a, Lanes b) { return {a.low <= b.low, a.high <= b.high}; }
  static LIMBER_INLINE Lanes select(MaskVector mask, Lanes yes, Lanes no) {
    return {Half::select(mask.low, yes.low, no.low), Half::select(mask.high, yes.high, no.high)};
  }
  friend LIMBER_INLINE Lanes absolute(Lanes a) { return {absolute(a.low), absolute(a.high)}; }
  static LIMBER_INLINE void turnQuarters(Lanes count, Lanes& sine, Lanes& cosine) {
    Half::turnQuarters(count.low, sine.low, cosine.low);
    Half::turnQuarters(count.high, sine.high, cosine.high);
  }

  LIMBER_INLINE T operator[](int i) const { return i < N / 2 ? low[i] : high[i - N / 2]; }
  LIMBER_INLINE void set(int i, T value) { i < N / 2 ? low.set(i, value) : high.set(i - N / 2, value); }
  LIMBER_INLINE Lanes& operator+=(Lanes b) { return *this = *this + b; }
  LIMBER_INLINE Lanes& operator-=(Lanes b) { return *this = *this - b; }
  LIMBER_INLINE Lanes& operator*=(Lanes b) { return *this = *this * b; }
  static LIMBER_INLINE Lanes load(const T* from) { return {Half::load(from), Half::load(from + N / 2)}; }
  LIMBER_INLINE void store(T* to) const {
    low.store(to);
    high.store(to + N / 2);
  }
};

/// One lane: a number.
template <class T>
struct Lanes<T, 1, false> {
  struct MaskVector {
    bool is;
    LIMBER_INLINE bool operator[](int) const { return is; }
    friend LIMBER_INLINE MaskVector operator&(MaskVector a, MaskVector b) { return {a.is && b.is}; }
  };
  T v;

  static LIMBER_INLINE Lanes all(T value) { return {value}; }
  friend LIMBER_INLINE Lanes operator+(Lanes a, Lanes b) { return {a.v + b.v}; }
  friend LIMBER_INLINE Lanes operator-(Lanes a, Lanes b) { return {a.v - b.v}; }
  friend LIMBER_INLINE Lanes operator*(Lanes a, Lanes b) { return {a.v * b.v}; }
  friend LIMBER_INLINE Lanes operator/(Lanes a, Lanes b) { return {a.v / b.v}; }
  friend LIMBER_INLINE Lanes operator-(Lanes a) { return {-a.v}; }
  friend LIMBER_INLINE MaskVector operator<(Lanes a, Lanes b) { return {a.v < b.v}; }
  friend LIMBER_INLINE MaskVector operator<=(Lanes a, Lanes b) { return {a.v <= b.v}; }
  static LIMBER_INLINE Lanes select(MaskVector mask, Lanes yes, Lanes no) { return mask.is ? yes : no; }
  friend LIMBER_INLINE Lanes absolute(Lanes a) { return {std::abs(a.v)}; }
  static LIMBER_INLINE void turnQuarters(Lanes count, Lanes& sine, Lanes& cosine) {
    std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t> n;
    std::memcpy(&n, &count.v, sizeof(T));
    const T s = n & 1 ? cosine.v : sine.v, c = n & 1 ? sine.v : cosine.v;
    sine.v = n & 2 ? -s : s;
    cosine.v = (n & 1) != (n >> 1 & 1) ? -c : c;
  }

  LIMBER_INLINE T operator[](int) const { return v; }
  LIMBER_INLINE void set(int, T value) { v = value; }
  LIMBER_INLINE Lanes& operator+=(Lanes b) { return *this = *this + b; }
  LIMBER_INLINE Lanes& operator-=(Lanes b) { return *this = *this - b; }
  LIMBER_INLINE Lanes& operator*=(Lanes b) { return *this = *this * b; }
  static LIMBER_INLINE Lanes load(const T* from) { return {*from}; }
  LIMBER_INLINE void store(T* to) const { *to = v; }
};

template <class T, int N>
LIMBER_INLINE Lanes<T, N> min(Lanes<T, N> a, Lanes<T, N> b) {
  return Lanes<T, N>::select(a < b, a, b);
}
template <class T, int N>
LIMBER_INLINE Lanes<T, N> max(Lanes<T, N> a, Lanes<T, N> b) {
  return Lanes<T, N>::select(b < a, a, b);
}
/// True if a comparison holds in all four lanes.
template <class M>
LIMBER_INLINE bool areAll(const M& mask) {
  static_assert(sizeof(mask) == 4 * sizeof(mask[0]));
#if defined(__AVX__) && (defined(__GNUC__) || defined(__clang__))
  if constexpr (sizeof(mask) == 32) return __builtin_ia32_movmskpd256((Lanes<double, 4>::Vector)mask) == 15;
#endif
  return (mask[0] & mask[1] & mask[2] & mask[3]) != 0;
}

template <class T, int N>
LIMBER_INLINE Lanes<T, N> sqrt(Lanes<T, N> a) {
  for (int i = 0; i < N; ++i) a.set(i, std::sqrt(a[i]));
  return a;
}

/// For each pair of neighbours in a and the pair at the same place in b: elements I and J of those four.
template <int I, int J, class T, int N>
LIMBER_INLINE Lanes<T, N> pick(Lanes<T, N> a, Lanes<T, N> b) {
  if constexpr (N * static_cast<int>(sizeof(T)) > kRegisterBytes) {
    return {pick<I, J>(a.low, b.low), pick<I, J>(a.high, b.high)};
#if defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 12)
  } else if constexpr (N == 2) {
    return {__builtin_shufflevector(a.v, b.v, I, J)};
  } else if constexpr (N == 4) {
    constexpr int i = I < 2 ? I : I + 2, j = J < 2 ? J : J + 2;
    return {__builtin_shufflevector(a.v, b.v, i, j, i + 2, j + 2)};
#endif
  } else {
    Lanes<T, N> result;
    for (int i = 0; i < N; i += 2) {
      result.set(i, I < 2 ? a[i + I % 2] : b[i + I % 2]);
      result.set(i + 1, J < 2 ? a[i + J % 2] : b[i + J % 2]);
    }
    return result;
  }
}

/// Each lane of b whose bit is set, else of a. A builtin, because compilers generate a slower shuffle.
template <int bits, class T, int N>
LIMBER_INLINE Lanes<T, N> blend(Lanes<T, N> a, Lanes<T, N> b) {
  if constexpr (N * static_cast<int>(sizeof(T)) > kRegisterBytes) {
    return {blend<bits % (1 << N / 2)>(a.low, b.low), blend<(bits >> N / 2)>(a.high, b.high)};
#if defined(__AVX__) && (defined(__GNUC__) || defined(__clang__))
  } else if constexpr (sizeof(T) == 8 && N == 4) {
    return {__builtin_ia32_blendpd256(a.v, b.v, bits)};
#endif
  } else {
    Lanes<T, N> result;
    for (int i = 0; i < N; ++i) result.set(i, bits >> i & 1 ? b[i] : a[i]);
    return result;
  }
}

/// A pair of numbers, repeated. A builtin, because GCC generates a slower shuffle.
template <class T, int N>
LIMBER_INLINE Lanes<T, N> repeat(const T* pair) {
  const Lanes<T, 2> two = Lanes<T, 2>::load(pair);
  if constexpr (N * static_cast<int>(sizeof(T)) > kRegisterBytes) {
    return {repeat<T, N / 2>(pair), repeat<T, N / 2>(pair)};
  } else if constexpr (N == 2) {
    return two;
#if defined(__AVX__) && defined(__GNUC__) && !defined(__clang__)
  } else if constexpr (sizeof(T) == 8 && N == 4) {
    return {__builtin_ia32_vbroadcastf128_pd256(reinterpret_cast<const typename Lanes<T, 2>::Vector*>(pair))};
#endif
  } else {
    Lanes<T, N> result;
    for (int i = 0; i < N; ++i) result.set(i, two[i % 2]);
    return result;
  }
}

/// Adding it to |a| < 2^51 (double) or 2^22 (float) leaves the nearest integer, ties to even, in the lowest bits.
template <class T>
inline constexpr T kRounder = sizeof(T) == 8 ? T(6755399441055744.0) : T(12582912.0f);

/// Sine and cosine, to about 1 ulp for |angle| < 1e6 (double), 2 ulp for |angle| < 1e3 (float). Argument reduction by
/// multiples of pi/2 in three parts (Cody and Waite), then the minimax polynomials of Cephes, two terms at once.
template <class T, int N>
LIMBER_INLINE void sineCosine(Lanes<T, N> angle, Lanes<T, N>& sine, Lanes<T, N>& cosine) {
  using L = Lanes<T, N>;
  const auto constant = [](double value) LIMBER_INLINE_CALL { return L::all(static_cast<T>(value)); };
  const L rounder = L::all(kRounder<T>), quarters = angle * constant(0.63661977236758134308) + rounder;
  const L quadrant = quarters - rounder;
  L x, s, c;
  if constexpr (sizeof(T) == 8) {
    x = ((angle - quadrant * constant(2.0 * 7.85398125648498535156E-1)) -
         quadrant * constant(2.0 * 3.77489470793079817668E-8)) -
        quadrant * constant(2.0 * 2.69515142907905952645E-15);
  } else {
    x = ((angle - quadrant * constant(2.0 * 0.78515625)) - quadrant * constant(2.0 * 2.4187564849853515625e-4)) -
        quadrant * constant(2.0 * 3.77489497744594108e-8);
  }
  const L z = x * x, z2 = z * z;
  const auto pair = [&](double a, double b) LIMBER_INLINE_CALL { return constant(a) + constant(b) * z; };
  if constexpr (sizeof(T) == 8) {
    s = pair(-1.66666666666666307295E-1, 8.33333333332211858878E-3) +
        z2 * (pair(-1.98412698295895385996E-4, 2.75573136213857245213E-6) +
              z2 * pair(-2.50507477628578072866E-8, 1.58962301576546568060E-10));
    c = pair(4.16666666666665929218E-2, -1.38888888888730564116E-3) +
        z2 * (pair(2.48015872888517045348E-5, -2.75573141792967388112E-7) +
              z2 * pair(2.08757008419747316778E-9, -1.13585365213876817300E-11));
  } else {
    s = pair(-1.6666654611E-1, 8.3321608736E-3) + z2 * constant(-1.9515295891E-4);
    c = pair(4.166664568298827E-2, -1.388731625493765E-3) + z2 * constant(2.443315711809948E-5);
  }
  sine = x + x * z * s;
  cosine = (constant(1.0) - constant(0.5) * z) + z2 * c;
  L::turnQuarters(quarters, sine, cosine);
}

}  // namespace limber::LIMBER_KERNEL_NAMESPACE
