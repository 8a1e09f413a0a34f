//! Every backend that overloads numbers or takes differences: against closed forms and the generated code.

mod dual;
mod symbolic;
mod tape;
mod taylor;
