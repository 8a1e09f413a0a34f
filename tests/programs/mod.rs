//! Functions as numerical programmers write them, in five levels; each module is named after its level and its function.

pub mod l1_arm_reach;
pub mod l1_dew_point;
pub mod l1_haversine;
pub mod l1_inverse_functions;
pub mod l1_logit_f32;
pub mod l1_rosette;
pub mod l1_smoothstep;
pub mod l1_softplus;
pub mod l2_beale;
pub mod l2_broyden_banded;
pub mod l2_discrete_boundary_value;
pub mod l2_kl_divergence;
pub mod l2_leading_run;
pub mod l2_logistic_nll;
pub mod l2_sine_series;
pub mod l2_softmax_cross_entropy;
pub mod l2_total_variation;
pub mod l2_watson;
pub mod l2_wood;
