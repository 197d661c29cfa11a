# SPDX-License-Identifier: Apache-2.0 OR MIT
# The program and the library, for CPUs: `docker build -t sumac .`, and then `docker run --rm sumac info`.
FROM debian:12 AS build
RUN apt-get update && apt-get install -y --no-install-recommends cmake gcc libc6-dev libjansson-dev make ninja-build && \
    rm -rf /var/lib/apt/lists/*
COPY . /sumac
WORKDIR /sumac
# Such as CURVES=bls12-381; all of them by default.
ARG CURVES=
RUN make all CUDA=0 CURVES="$CURVES" && make install CUDA=0 DESTDIR=/install

FROM debian:12
LABEL org.opencontainers.image.title="sumac" \
    org.opencontainers.image.description="Multi-scalar multiplication, KZG and Groth16 proofs on CPUs and GPUs" \
    org.opencontainers.image.version="0.9.0" \
    org.opencontainers.image.licenses="Apache-2.0 OR MIT" \
    org.opencontainers.image.source="https://github.com/sumac-msm/sumac"
RUN apt-get update && apt-get install -y --no-install-recommends libjansson4 && rm -rf /var/lib/apt/lists/*
COPY --from=build /install /
RUN ldconfig && sumac --version
USER nobody
ENTRYPOINT ["sumac"]
CMD ["help"]
