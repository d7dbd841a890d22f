//! The addresses by which people open the pages.

use crate::address::{self, PublicUrl};
use agon_web::HallAddress;
use std::net::SocketAddr;

/// The address to open.
pub(super) fn link(at: SocketAddr, public: Option<&PublicUrl>, token: Option<&str>) -> String {
    public.map_or_else(|| address::link(at, token), |public| public.link(token))
}

/// The address for devices other than this machine.
pub(super) fn link_for_others(at: SocketAddr, public: Option<&PublicUrl>, token: Option<&str>) -> String {
    public.map_or_else(|| address::link_for_others(at, token), |public| public.link(token))
}

/// How those who see the wall of a hall come to the pages. Where teams have links of their own, the token is for whoever
/// started the server alone.
pub(super) fn hall_address(
    at: SocketAddr,
    public: Option<&PublicUrl>,
    token: Option<&str>,
    has_teams: bool,
) -> HallAddress {
    match (at.ip().is_loopback() && public.is_none(), has_teams) {
        (true, _) => HallAddress::Local,
        (false, true) => HallAddress::Teams(link_for_others(at, public, None) + "team"),
        (false, false) => HallAddress::Everybody(link_for_others(at, public, token)),
    }
}
